import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SearchHit } from "#contracts/http/report-view.ts";
import { CONTACT_SEARCHES_USED, signInToSearchBy } from "#contracts/http/search-messages.ts";
import {
  type Answer,
  aHit,
  anOffender,
  anOffenderPage,
  aResult,
  ok,
  refusal,
} from "../testing/fake-registry.ts";
import { get } from "../testing/get-page.ts";

const habitual: Partial<SearchHit> = {
  is_habitual_offender: true,
  offender_totals: [{ currency: "USD", amount: 2140 }],
};
const resolution = (resolution_status: SearchHit["resolution_status"]): Partial<SearchHit> => ({
  resolution_status,
});

describe("the search page", () => {
  it("searches for the URL's parameters, and works as a form without JavaScript", async () => {
    const { html, calls } = await get("/search?q=ann+doe&state=CA&min=10&max=99.5&reason=NSF");
    const search = calls.find((call) => call.path.endsWith("/search"));
    expect(Object.fromEntries(search?.query ?? [])).toMatchObject({
      q: "ann doe",
      state: "CA",
      min: "10",
      max: "99.5",
      reason: "NSF",
      sort: "relevance",
    });
    expect(html).toMatch(/<form[^>]*action="\/search"/);
    expect(html).not.toMatch(/<form[^>]*method="post"/i);
    expect(html).toContain('value="ann doe"');
    expect(html).toMatch(/<option value="CA" selected="">CA - California<\/option>/);
    expect(html).toMatch(/<details[^>]*open/);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  it("has its title and canonical URL for an empty search", async () => {
    const { html } = await get("/search");
    expect(html).toContain(
      "<title>Search Chargeback Fraud Database - Find Repeat Offenders | Chargeback Registry</title>",
    );
    expect(html).toContain('<link rel="canonical" href="https://registry.test/search"/>');
    expect(html).toMatch(/<meta name="description" content="Search reports of chargeback fraud/);
  });

  it("has its filters and buttons, with the states and the six reasons to choose from", async () => {
    const { html } = await get("/search");
    const form = /<form[^>]*id="search-form".*?<\/form>/s.exec(html)?.[0] ?? "";
    const names = [...form.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(["q", "country", "state", "reason", "min", "max"]);
    const menu = (name: string) => {
      const select = new RegExp(`<select[^>]* name="${name}".*?</select>`, "s").exec(form)?.[0];
      return [...(select ?? "").matchAll(/<option[^>]*>([^<]*)/g)].map(([, words]) => words);
    };
    expect(menu("reason")).toEqual([
      "All reasons",
      "Fraud",
      "NSF",
      "Authorization",
      "Processing Error",
      "Duplicate",
      "Service Dispute",
    ]);
    expect(menu("state")).toEqual(
      expect.arrayContaining(["AL - Alabama", "CA - California", "WY - Wyoming"]),
    );
    expect(form).toMatch(/<button[^>]*type="submit"[^>]*>(<span>)?Search</);
    expect(form).toMatch(/<a[^>]*href="\/search"[^>]*>Clear Filters</);
  });

  it.each([
    ["red for the total of a habitual offender", habitual, "due", "--color-due"],
    ["green for what is resolved", resolution("resolved"), "resolved", "--color-settled"],
    [
      "amber for what is resolved in part",
      resolution("partially_resolved"),
      "partially_resolved",
      "--color-warning",
    ],
    ["in the ink of the text otherwise", resolution("unresolved"), "unresolved", undefined],
  ])("shows an amount %s", async (_colour, change, tone, color) => {
    const { html } = await get("/search", {
      "GET /prod/api/reports/search": ok(aResult({ reports: [aHit(change)] })),
    });
    const classes = /<p class="(_amount_[^"]*)"/.exec(html)?.[1]?.split(" ") ?? [];
    expect(classes.map((name) => /^_(.+)_\w+$/.exec(name)?.[1])).toEqual(["amount", tone]);
    const styles = await readFile(
      path.join(import.meta.dirname, "../src/components/ReportList.module.css"),
      "utf8",
    );
    const rule = new RegExp(`^\\.${tone} \\{\\s*color: var\\((.*?)\\)`, "m").exec(styles);
    expect(rule?.[1]).toBe(color);
  });

  it("counts reports and pages, and links to the next and previous pages", async () => {
    const { html } = await get("/search?q=x&page=now", {
      "GET /prod/api/reports/search": ok(
        aResult({
          total: 10_000,
          total_capped: true,
          page: 3,
          pages: 1112,
          next: "n+1",
          previous: "p-1",
        }),
      ),
    });
    expect(html).toContain("10,000+ reports found");
    expect(html).toContain("Page 3 of 1112");
    expect(html).toContain('href="/search?q=x&amp;page=n%2B1"');
    expect(html).toContain('href="/search?q=x&amp;page=p-1"');
  });

  it("highlights matches, and marks a name that only sounds alike", async () => {
    const { html } = await get("/search?q=har", {
      "GET /prod/api/reports/search": ok(
        aResult({
          reports: [
            aHit({
              match: "phonetic",
              highlights: {
                name: [
                  { text: "Quinn ", hit: false },
                  { text: "Har", hit: true },
                  { text: "per", hit: false },
                ],
              },
            }),
          ],
        }),
      ),
    });
    expect(html).toContain("Quinn <mark>Har</mark>per");
    expect(html).toContain("Sounds alike");
  });

  it("shows everything in a result that a merchant at the register needs", async () => {
    const { html } = await get("/search", {
      "GET /prod/api/reports/search": ok(
        aResult({
          reports: [
            aHit({ description: "", title: "t".repeat(61), resolution_status: "resolved" }),
          ],
        }),
      ),
    });
    for (const text of [
      "Denver, CO",
      "May 2, 2026",
      "Product not received",
      "Shipped",
      "Reported by Alpine Watches",
      "42 views",
      "0 rebuttals",
      "Resolved",
      "No description available",
      `${"t".repeat(60)}…`,
      "View Details",
    ]) {
      expect(html).toContain(text);
    }
  });

  it("shows the province and country of places abroad, even if the search matched the city", async () => {
    const abroad = { city: "Halifax", state: "NS", country: "CA" } as const;
    const found = { ...abroad, highlights: { city: [{ text: "Halifax", hit: true }] } };
    const { html } = await get("/search", {
      "GET /prod/api/habitual-offenders": ok([
        anOffender({ latest_report: { ...anOffender().latest_report, ...abroad } }),
      ]),
      "GET /prod/api/reports/search": ok(aResult({ reports: [aHit(abroad), aHit(found)] })),
    });
    const lines = html.replace(/<!--.*?-->|<\/?mark>/g, "").match(/Halifax, [^<·]*/g);
    expect(lines?.map((line) => line.trim())).toEqual(
      Array(3).fill("Halifax, Nova Scotia, Canada"),
    );
  });

  it("replaces a habitual offender's amount with their total", async () => {
    const { html } = await get("/search", {
      "GET /prod/api/habitual-offenders": ok([]),
      "GET /prod/api/reports/search": ok(
        aResult({
          reports: [
            aHit({
              is_habitual_offender: true,
              report_count: 3,
              offender_totals: [
                { currency: "USD", amount: 2140 },
                { currency: "EUR", amount: 90 },
              ],
            }),
          ],
        }),
      ),
    });
    expect(html).toContain("TOTAL DUE");
    expect(html).toContain("$2,140.00");
    expect(html).toContain("€90.00");
    expect(html).toContain("Habitual offender, 3 reports");
    expect(html).not.toContain("$412.50");
  });

  it("shows up to three habitual offenders, truncated, starting with #1", async () => {
    const latest = {
      ...anOffender().latest_report,
      title: "t".repeat(41),
      description: "d".repeat(61),
    };
    const { html, calls } = await get("/search", {
      "GET /prod/api/habitual-offenders": ok([anOffender({ latest_report: latest })]),
    });
    expect(calls.find((call) => call.path.endsWith("offenders"))?.query.get("limit")).toBe("3");
    expect(html).toContain("TOP HABITUAL OFFENDERS");
    expect(html).toContain("#1 ");
    expect(html).toContain(`>${"t".repeat(40)}…<`);
    expect(html).toContain(`>${"d".repeat(60)}…<`);
  });

  it("says what to do if nothing is found", async () => {
    const nothing = { "GET /prod/api/reports/search": ok(aResult({ reports: [], total: 0 })) };
    const { html } = await get("/search?q=nobody", nothing);
    expect(html).toContain("0 reports found");
    expect(html).toContain("No reports found");
    expect(html).toContain("Try adjusting your search criteria or filters.");
  });

  it("doesn't search if the minimum amount exceeds the maximum, and says so", async () => {
    const { status, html, calls } = await get("/search?min=9&max=1");
    expect(status).toBe(200);
    expect(html).toContain("0 reports found");
    expect(html).toContain("The minimum amount is higher than the maximum amount.");
    expect(calls.map(({ path }) => path)).not.toContain("/prod/api/reports/search");
  });

  it("keeps its form after a 429, and says when to retry", async () => {
    const { status, html, headers } = await get("/search?q=x", {
      "GET /prod/api/reports/search": refusal(429, "too_many", "x", undefined, {
        "retry-after": "6",
      }),
    });
    expect(status).toBe(429);
    expect(headers).toEqual({ "retry-after": "6" });
    expect(html).toContain("Too many searches. Please wait a moment before searching again.");
    expect(html).toContain('name="q"');
  });

  it("says that searching by phone needs an account, not that nothing was found", async () => {
    const words = signInToSearchBy("phone");
    const { status, html } = await get("/search?q=3035550142", {
      "GET /prod/api/reports/search": refusal(403, "confirmed_account_required", words),
    });
    expect(status).toBe(403);
    expect(html).toContain(">Sign in to search by phone<");
    expect(html).not.toContain("No reports found");
    expect(html).toContain("/login?next=%2Fsearch%3Fq%3D3035550142");
    expect(html).toContain('value="3035550142"');
  });

  it("says when the daily limit on searches by email and phone resets", async () => {
    const { status, html } = await get("/search?q=a@b.example", {
      "GET /prod/api/reports/search": refusal(
        429,
        "too_many_requests",
        CONTACT_SEARCHES_USED,
        undefined,
        { "retry-after": "7200" },
      ),
    });
    expect(status).toBe(429);
    expect(html).toContain("You&#x27;ve reached the daily limit");
    expect(html).toContain("Try again in 2 hours.");
  });

  it("keeps its form if the registry is down", async () => {
    const { status, html } = await get("/search", { "GET /prod/api/reports/search": undefined });
    expect(status).toBe(503);
    expect(html).toContain("Failed to load search data");
    expect(html).toContain("TOP HABITUAL OFFENDERS");
  });

  it("says that search is unavailable and when to try again", async () => {
    const away = refusal(503, "unavailable", "Away", undefined, { "retry-after": "5" });
    const { status, headers, html } = await get("/search?q=ann", {
      "GET /prod/api/reports/search": away,
    });
    expect([status, headers["retry-after"]]).toEqual([503, "5"]);
    expect(html).toContain("Search is unavailable right now. Please try again in a minute.");
    // Only scripts can retry.
    expect(html).not.toContain("tries again by itself");
    expect(html).toMatch(/<a href="\/search\?q=ann"[^>]*>Try again<\/a>/);
  });

  it("redirects to the first page if a page token is no longer valid", async () => {
    const { rendered } = await get("/search?q=x&page=old", {
      "GET /prod/api/reports/search": refusal(400, "invalid_request", "The page is not known."),
    });
    expect(rendered).toEqual({ kind: "redirect", status: 302, location: "/search?q=x" });
  });
});

describe("the search's country", () => {
  it("is sent, and its states can be selected", async () => {
    const { html, calls } = await get("/search?country=AU&state=NSW");
    const search = calls.find((call) => call.path.endsWith("/search"));
    expect(Object.fromEntries(search?.query ?? [])).toMatchObject({ country: "AU", state: "NSW" });
    expect(html).toMatch(/<option value="AU" selected="">Australia<\/option>/);
    expect(html).toMatch(/<option value="NSW" selected="">NSW - New South Wales<\/option>/);
    expect(html).not.toContain("CA - California");
  });

  it("disables the state if there is no list", async () => {
    const { html } = await get("/search?country=UK");
    expect(html).toMatch(/<select[^>]*name="state"[^>]*disabled/);
  });
});

describe("all habitual offenders", () => {
  const ALL = "/search?offenders=all";
  const list = (answer: Answer, url = ALL) =>
    get(url, { "GET /prod/api/habitual-offenders/all": answer });

  it("are listed page by page", async () => {
    const page = anOffenderPage({ total: 41, page: 2, pages: 3, next: "n/ext", previous: "p=rev" });
    const { status, html, calls } = await list(ok(page), `${ALL}&page=here`);
    expect(status).toBe(200);
    expect(calls.map(({ query }) => query.get("page"))).toEqual(["here"]);
    expect(html).toContain("<title>All habitual offenders | Chargeback Registry</title>");
    expect(html).toContain("41 people, page 2 of 3");
    expect(html).toContain("Morgan Vale");
    expect(html).toContain('href="/search?offenders=all&amp;page=n%2Fext"');
    expect(html).toContain('href="/search?offenders=all&amp;page=p%3Drev"');
    expect(html).toContain('content="noindex"');
  });

  it("have a canonical URL on the first page", async () => {
    const { html } = await list(ok(anOffenderPage()));
    expect(html).toContain('rel="canonical" href="https://registry.test/search?offenders=all"');
    expect(html).not.toContain('aria-label="Pages"');
  });

  it("say what to do if there are none, or if the list can't be loaded", async () => {
    const none = await list(ok(anOffenderPage({ offenders: [], total: 0, pages: 1 })));
    expect(none.html).toContain("No habitual offenders found yet.");
    const down = await list(undefined);
    expect([down.status, down.html.includes("We couldn&#x27;t load this list.")]).toEqual([
      503,
      true,
    ]);
    const busy = await list(refusal(429, "too_many_requests", "Wait", {}, { "retry-after": "7" }));
    expect([busy.status, busy.headers["retry-after"]]).toEqual([429, "7"]);
  });

  it("redirect to the first page if a page token is unknown", async () => {
    const { rendered } = await list(refusal(400, "invalid_request", "No"), `${ALL}&page=old`);
    expect(rendered).toMatchObject({ kind: "redirect", location: ALL });
  });
});
