import { describe, expect, it } from "vitest";
import {
  type Answer,
  aHit,
  anOffender,
  aReport,
  aResult,
  fakeRegistry,
  ok,
  refusal,
} from "../testing/fake-registry.ts";
import { type RenderRequest, render } from "./render.tsx";

const EVIL = '</script><script>alert("x")</script><img src=x onerror=alert(1)>';

const CONFIG = {
  productName: "Chargeback Registry",
  supportEmail: "support@registry.test",
  publicUrl: "https://registry.test",
  samples: false,
  stylesheets: ["/assets/style.css"],
};

async function get(
  url: string,
  answers: Readonly<Record<string, Answer>> = {},
  change: Partial<RenderRequest> = {},
) {
  const registry = fakeRegistry(answers);
  const errors: unknown[] = [];
  const faults: unknown[] = [];
  const rendered = await render({
    url,
    cookies: undefined,
    visitorAddress: "203.0.113.7",
    signal: new AbortController().signal,
    config: CONFIG,
    files: {
      entry: "/assets/entry.js",
      imports: ["/assets/router.js"],
      fonts: ["/assets/inter.woff2"],
      pageModules: (source) => [`/assets/${source.split("/").at(-1)}.js`],
    },
    nonce: "n0nce",
    queryUrl: "http://query.test",
    timeoutMs: 1000,
    fetch: registry.fetch,
    onFault: (fault) => faults.push(fault),
    onError: (error) => errors.push(error),
    ...change,
  });
  const page = rendered.kind === "page" ? rendered : undefined;
  const html = page?.html ?? "";
  // React separates neighbouring texts by comments.
  const text = html.replaceAll("<!-- -->", "");
  return {
    rendered,
    status: rendered.status,
    html: text,
    headers: page?.headers ?? {},
    errors,
    faults,
    calls: registry.calls,
  };
}

describe("a page from the server", () => {
  it("is a whole document: language, title, description, canonical address, styles, script", async () => {
    const { status, html } = await get("/");
    expect(status).toBe(200);
    expect(html).toMatch(/^<!DOCTYPE html><html lang="en">/);
    expect(html).toContain("<title>Chargeback Registry</title>");
    expect(html).toContain('<link rel="canonical" href="https://registry.test/"/>');
    expect(html).toMatch(/<meta name="description" content="[^"]{40,}"/);
    expect(html).toContain('<link rel="stylesheet" href="/assets/style.css"/>');
    expect(html).toMatch(/<script type="module" src="\/assets\/entry.js" nonce="n0nce"/);
    expect(html).toContain('<link rel="modulepreload" href="/assets/HomePage.tsx.js"/>');
    expect(html).not.toContain('name="robots"');
  });

  it("has no inline script without the nonce, no inline style and no handler", async () => {
    for (const url of ["/", "/search?q=x", "/report", "/terms", "/nowhere"]) {
      const { html } = await get(url);
      const scripts = html.match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(1);
      for (const script of scripts) {
        expect(script).toMatch(/nonce="n0nce"|type="application\/json"/);
      }
      expect(html).not.toMatch(/<[^>]+\s(style|on[a-z]+)=/);
    }
  });

  it("passes the visitor's address on, and the position of their last write", async () => {
    const { calls } = await get(
      "/search?q=doe",
      {},
      { cookies: "a=b; registry-position=epoch%3A0042" },
    );
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) {
      expect(call.headers.get("x-forwarded-for")).toBe("203.0.113.7");
      expect(call.headers.get("x-min-position")).toBe("epoch:0042");
    }
  });

  it("shows what people wrote as text, in the page and in its data", async () => {
    const evil = { first_name: EVIL, title: EVIL, description: EVIL, city: EVIL };
    const { html } = await get(
      `/search?q=${encodeURIComponent(EVIL)}`,
      {
        "GET /prod/api/reports/search": ok(aResult({ reports: [aHit(evil)] })),
        "GET /prod/api/habitual-offenders": ok([anOffender({ first_name: EVIL })]),
      },
      { config: { ...CONFIG, productName: EVIL } },
    );
    expect(html).toContain("&lt;/script&gt;");
    expect(html).not.toContain("<img");
    expect(html).not.toContain('</script><script>alert("x")');
    // Its own three: configuration, hydration data, entry.
    expect(html.match(/<\/script>/g)).toHaveLength(3);
  });
});

describe("the home page", () => {
  it("shows the newest reports and the top habitual offender", async () => {
    const { html, calls } = await get("/");
    expect(html).toContain("Quinn Harper");
    expect(html).toContain("$412.50");
    expect(html).toContain("Morgan Vale");
    expect(html).toContain("TOTAL DUE");
    const offenders = calls.find((call) => call.path.endsWith("habitual-offenders"));
    expect(offenders?.query.get("limit")).toBe("1");
  });

  it("says so when there is no offender and no report", async () => {
    const { html } = await get("/", {
      "GET /prod/api/reports/recent": ok([]),
      "GET /prod/api/habitual-offenders": ok([]),
    });
    expect(html).toContain("No habitual offenders found yet. Start by reporting repeat offenders!");
    expect(html).toContain("No reports have been published yet.");
  });

  it("stands without the registry, and says nothing about offenders", async () => {
    const { status, html, faults } = await get("/", {
      "GET /prod/api/reports/recent": undefined,
      "GET /prod/api/habitual-offenders": undefined,
    });
    expect(status).toBe(200);
    expect(html).toContain("The newest reports could not be loaded.");
    expect(html).toContain('name="q"');
    expect(html).not.toContain("abitual offender</h2>");
    expect(faults).toHaveLength(2);
  });

  it("cuts an offender's description at 150 characters", async () => {
    const latest = { ...anOffender().latest_report, description: "d".repeat(151) };
    const { html } = await get("/", {
      "GET /prod/api/habitual-offenders": ok([anOffender({ latest_report: latest })]),
    });
    expect(html).toContain(`>${"d".repeat(150)}…<`);
  });
});

describe("the search page", () => {
  it("asks for what the address names, and works as a form without JavaScript", async () => {
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

  it("has its title and its canonical address when nothing is searched for", async () => {
    const { html } = await get("/search");
    expect(html).toContain(
      "<title>Search Chargeback Fraud Database - Find Repeat Offenders | Chargeback Registry</title>",
    );
    expect(html).toContain('<link rel="canonical" href="https://registry.test/search"/>');
  });

  it("counts reports and pages, and links to the pages beside", async () => {
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

  it("marks what was found, and says why a name that is written otherwise stands there", async () => {
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

  it("shows a result with all that a merchant at the till asks for", async () => {
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
      "2 May 2026",
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

  it("replaces the amount of a habitual offender by what they owe in all", async () => {
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

  it("shows up to three habitual offenders, cut short, the first as #1", async () => {
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

  it("says what to do when nothing is found", async () => {
    const nothing = { "GET /prod/api/reports/search": ok(aResult({ reports: [], total: 0 })) };
    const { html } = await get("/search?q=nobody", nothing);
    expect(html).toContain("0 reports found");
    expect(html).toContain("No reports found");
    expect(html).toContain("Try adjusting your search criteria or filters.");
  });

  it("does not look for amounts whose lowest is above the highest, and says so", async () => {
    const { status, html, calls } = await get("/search?min=9&max=1");
    expect(status).toBe(200);
    expect(html).toContain("0 reports found");
    expect(html).toContain("The minimum amount is above the maximum amount.");
    expect(calls.map(({ path }) => path)).not.toContain("/prod/api/reports/search");
  });

  it("keeps its form when searches come too fast, and says when to come back", async () => {
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

  it("keeps its form when the registry does not answer", async () => {
    const { status, html } = await get("/search", { "GET /prod/api/reports/search": undefined });
    expect(status).toBe(503);
    expect(html).toContain("Failed to load search data");
    expect(html).toContain("TOP HABITUAL OFFENDERS");
  });

  it("begins at the first page when a page token is no longer understood", async () => {
    const { rendered } = await get("/search?q=x&page=old", {
      "GET /prod/api/reports/search": refusal(400, "invalid_request", "The page is not known."),
    });
    expect(rendered).toEqual({ kind: "redirect", status: 302, location: "/search?q=x" });
  });
});

describe("the page of a report", () => {
  const of = (change: Parameters<typeof aReport>[0] = {}) =>
    get("/report/quinn-harper", { "GET /prod/api/reports/quinn-harper": ok(aReport(change)) });

  it("shows the record, its status and its address", async () => {
    const { status, html } = await of();
    expect(status).toBe(200);
    for (const text of [
      "Reported, not independently verified",
      "q***@e***.net",
      "***42",
      "411111******1234",
      "1Z999AA10123456784",
      "Alpine Watches",
      "$437.50",
      "Back to Search",
      "Report Another Offender",
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toContain(
      '<link rel="canonical" href="https://registry.test/report/quinn-harper"/>',
    );
    expect(html).toContain(
      "<title>Quinn Harper: Disputed a delivered order | Chargeback Registry</title>",
    );
    expect(html).not.toContain("Habitual offender");
  });

  it("leads an address in capitals to the page's own", async () => {
    const { rendered } = await get("/report/Quinn-HARPER", {
      "GET /prod/api/reports/Quinn-HARPER": ok(aReport()),
    });
    expect(rendered).toEqual({ kind: "redirect", status: 301, location: "/report/quinn-harper" });
  });

  it("calls amounts what lists call them, and sums up everything on top", async () => {
    const check = aHit({ report_type: "bad_check", amount: 80 });
    const list = await get("/search", {
      "GET /prod/api/reports/search": ok(aResult({ reports: [aHit(), check] })),
    });
    expect(list.html).toMatch(/Original amount<\/span><span[^>]*>\$412\.50/);
    expect(list.html).toMatch(/Check amount<\/span><span[^>]*>\$80\.00/);
    const { html } = await of();
    expect(html).toMatch(/Total due<\/span><strong[^>]*>\$437\.50/);
    expect(html).toMatch(/Original amount <span[^>]*>\$412\.50/);
    const more = await of({ chargebacks: [{ amount: 60, total_due: 62.5 }] });
    expect(more.html).toMatch(/Total with additional chargebacks<\/span><strong[^>]*>\$500\.00/);
    const bare = await of({ chargeback_fee: 0, total_due: 412.5 });
    expect(bare.html).toMatch(/Total due<\/span><strong[^>]*>\$412\.50/);
    expect(bare.html).not.toContain("Original amount <span");
  });

  it("does not count a view from the server", async () => {
    const { calls } = await of();
    expect(calls.map((call) => call.method)).toEqual(["GET"]);
  });

  it("says of a habitual offender how many reports there are and what they share", async () => {
    const { html } = await of({
      is_habitual_offender: true,
      report_count: 3,
      offender_shares: ["e-mail", "card"],
      offender_totals: [{ currency: "USD", amount: 2140 }],
      other_reports: [
        { seo_title: "quinn-harper-2", title: "Another order", created_at: "2026-01-01T00:00:00Z" },
      ],
    });
    expect(html).toContain("Habitual offender: 3 published reports");
    expect(html).toContain("These reports agree on the name, email, and card.");
    expect(html).toContain("$2,140.00");
    expect(html).toContain('href="/report/quinn-harper-2"');
  });

  it.each<[string, Answer, number, string]>([
    ["is not known", refusal(404, "not_found", "x"), 404, "Report not found"],
    ["is no slug", refusal(400, "invalid_request", "x"), 404, "Report not found"],
    ["was deleted", refusal(410, "gone", "x"), 410, "Report removed"],
    ["cannot be had", undefined, 503, "Failed to load report"],
    ["breaks the registry", refusal(500, "internal", "secret cause"), 503, "Failed to load report"],
    ["is asked for too often", refusal(429, "too_many", "x"), 429, "Too many requests"],
  ])("has a page of its own when it %s", async (_what, answer, status, heading) => {
    const shown = await get("/report/quinn-harper", {
      "GET /prod/api/reports/quinn-harper": answer,
    });
    expect(shown.status).toBe(status);
    expect(shown.html).toContain(`>${heading}</h1>`);
    expect(shown.html).toContain('<meta name="robots" content="noindex"/>');
    expect(shown.html).not.toContain("secret cause");
    expect(shown.html).not.toContain("Quinn");
    // The layout stays, so that nobody is stranded.
    expect(shown.html).toContain("Search Database");
  });
});

describe("the other pages", () => {
  it("show the form, which is not to be sent before the terms are agreed to", async () => {
    const { status, html, calls } = await get("/report");
    expect(status).toBe(200);
    expect(html).toMatch(/<button[^>]*type="submit"[^>]*disabled[^>]*>Submit Report/);
    expect(html).toContain("This form needs JavaScript.");
    expect(calls).toEqual([]);
  });

  it("leave the use of a mail's link to the browser", async () => {
    const { status, html, calls } = await get("/verify-email/token-of-a-mail");
    expect(status).toBe(200);
    expect(html).toContain("Confirming your email");
    expect(calls).toEqual([]);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  it("name the version of the terms", async () => {
    const { html } = await get("/terms");
    expect(html).toContain("Version 2026-11-21, in force since 21 November 2026");
  });

  it("answer 404 for an address that is none", async () => {
    for (const url of ["/nowhere", "/report/a/b", "/login", "/faq"]) {
      const { status, html } = await get(url);
      expect(status).toBe(404);
      expect(html).toContain("Page not found");
    }
  });

  it("link only to pages that exist", async () => {
    for (const url of ["/", "/search", "/report", "/terms", "/nowhere"]) {
      const { html } = await get(url);
      const links = [...html.matchAll(/<a\b[^>]*href="([^"]*)"/g)].map(([, href]) => href ?? "");
      for (const href of new Set(links)) {
        if (/^(mailto:|#)/.test(href) || href === "/admin") continue;
        const target = await get(href.replaceAll("&amp;", "&"), {
          "GET /prod/api/reports/quinn-harper": ok(aReport()),
          "GET /prod/api/reports/morgan-vale-3": ok(aReport()),
        });
        expect(`${href} ${target.status}`).toBe(`${href} 200`);
      }
    }
  });

  it("say that samples are among the reports where they are, and how to remove them", async () => {
    const { html } = await get(
      "/terms",
      {},
      {
        config: { ...CONFIG, samples: true },
      },
    );
    expect(html).toMatch(/Sample data\..* Some of the reports are made-up samples\./);
    expect(html).toMatch(/npm run sample:clear<\/code> removes them\./);
    expect((await get("/terms")).html).not.toContain("Sample data.");
  });
});

describe("what no page expects", () => {
  it("is kept from the page and its data when it happens while loading", async () => {
    const { status, html, errors } = await get("/", {
      "GET /prod/api/habitual-offenders": ok(null),
    });
    expect(status).toBe(500);
    expect(html).toContain("Something went wrong");
    expect(html).not.toMatch(/TypeError|null \(reading/);
    expect(errors).toHaveLength(1);
  });

  it("does not hide that the visitor has gone", async () => {
    await expect(get("/", {}, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it("becomes a plain 500 that tells nothing, and is reported", async () => {
    const { status, html, errors } = await get("/report/quinn-harper", {
      "GET /prod/api/reports/quinn-harper": ok({ id: "no report at all" }),
    });
    expect(status).toBe(500);
    expect(html).toContain("Something went wrong");
    expect(html).not.toMatch(/undefined|TypeError|stack/);
    expect(errors).toHaveLength(1);
  });

  it("is shown as the failure that the caller names", async () => {
    const failure = {
      status: 405,
      heading: "This page can only be read",
      text: "Nothing was sent.",
    };
    const { status, html } = await get("/terms", {}, { failure });
    expect(status).toBe(405);
    expect(html).toContain("This page can only be read");
    expect(html).not.toContain("Version 2026");
  });
});
