import { describe, expect, it } from "vitest";
import { type Answer, aHit, aReport, aResult, ok, refusal } from "../testing/fake-registry.ts";
import { get } from "../testing/get-page.ts";

describe("the report page", () => {
  const of = (change: Parameters<typeof aReport>[0] = {}) =>
    get("/report/quinn-harper", { "GET /prod/api/reports/quinn-harper": ok(aReport(change)) });

  it("shows the record, its status and its canonical URL", async () => {
    const { status, html } = await of();
    expect(status).toBe(200);
    for (const text of [
      "Reported, not independently verified",
      "q***@***",
      "(***) ***-****",
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

  it("shows its place on the site in a breadcrumb", async () => {
    const { html } = await of({});
    const crumbs = /<nav aria-label="Breadcrumb".*?<\/nav>/s.exec(html)?.[0] ?? "";
    expect(crumbs).toMatch(/href="\/"[^>]*>Home<.*href="\/search"[^>]*>Search</s);
    expect(crumbs).toMatch(/aria-current="page"[^>]*>Quinn Harper</);
  });

  it("shows the RESOLVED banner instead of the reporter's status, here and in lists", async () => {
    const banner = /<strong[^>]*>RESOLVED<\/strong>/;
    const { html } = await of({ resolved: true, resolution_status: "unresolved" });
    expect(html).toContain("<h2>RESOLVED</h2>");
    expect(html).toContain("declared in a notarized letter");
    expect(html).not.toMatch(/>Unresolved</);
    const without = await of({ resolved: false, resolution_status: "unresolved" });
    expect(without.html).not.toMatch(/RESOLVED/);
    const list = await get("/search", {
      "GET /prod/api/reports/search": ok(aResult({ reports: [aHit({ resolved: true })] })),
    });
    expect(list.html).toMatch(banner);
  });

  it("redirects an upper-case URL to the canonical one", async () => {
    const { rendered } = await get("/report/Quinn-HARPER", {
      "GET /prod/api/reports/Quinn-HARPER": ok(aReport()),
    });
    expect(rendered).toEqual({ kind: "redirect", status: 301, location: "/report/quinn-harper" });
  });

  it("labels amounts as lists do, and shows the total at the top", async () => {
    const check = aHit({ report_type: "bad_check", amount: 80 });
    const list = await get("/search", {
      "GET /prod/api/reports/search": ok(aResult({ reports: [aHit(), check] })),
    });
    expect(list.html).toMatch(/Original amount<\/span><span[^>]*>\$412\.50/);
    expect(list.html).toMatch(/Check amount<\/span><span[^>]*>\$80\.00/);
    const { html } = await of();
    expect(html).toMatch(/Total due<\/span><strong[^>]*>\$437\.50/);
    expect(html).toMatch(/Original amount <span[^>]*>\$412\.50/);
    const more = await of({ total_due: 500, chargebacks: [{ amount: 60, total_due: 62.5 }] });
    expect(more.html).toMatch(/Total due<\/span><strong[^>]*>\$500\.00/);
    const bare = await of({ chargeback_fee: 0, total_due: 412.5 });
    expect(bare.html).toMatch(/Total due<\/span><strong[^>]*>\$412\.50/);
    expect(bare.html).not.toContain("Original amount <span");
  });

  it("shows published pictures of evidence, but not to search engines or in previews", async () => {
    const url = (n: number) => `/prod/api/reports/0f9619ff/evidence/${n}`;
    const picture = (n: number) => ({
      id: `${n}`,
      url: url(n),
      size: 4711,
      width: 800,
      height: 600,
    });
    const { html } = await of({ evidence: [picture(1), picture(2)], check_image_url: url(2) });
    const [head = "", body = ""] = html.split("<body");
    expect(body).toMatch(
      new RegExp(
        `<a href="${url(1)}"><img src="${url(1)}" width="800" height="600" alt="Evidence, picture 1 of 2, in full size" loading="lazy"`,
      ),
    );
    expect(body).toContain('alt="The check, picture 2 of 2, in full size"');
    expect(body).toContain("Account numbers and addresses have been redacted.");
    expect(head).toContain("application/ld+json");
    expect(head).not.toContain("evidence");
    expect((await of()).html).not.toContain("Evidence");
  });

  it("doesn't count server-side renders as views", async () => {
    const { calls } = await of();
    expect(calls.map((call) => call.method)).toEqual(["GET"]);
  });

  it("shows a habitual offender's number of reports and what they have in common", async () => {
    const { html } = await of({
      is_habitual_offender: true,
      report_count: 3,
      offender_shares: ["email", "card"],
      offender_totals: [{ currency: "USD", amount: 2140 }],
      other_reports: [
        { seo_title: "quinn-harper-2", title: "Another order", created_at: "2026-01-01T00:00:00Z" },
      ],
    });
    expect(html).toContain("Habitual offender: 3 published reports");
    expect(html).toContain("These reports match on the name, email, and card.");
    expect(html).toContain("$2,140.00");
    expect(html).toContain('href="/report/quinn-harper-2"');
  });

  it.each<[string, Answer, number, string]>([
    ["doesn't exist", refusal(404, "not_found", "x"), 404, "Report not found"],
    ["isn't a slug", refusal(400, "invalid_request", "x"), 404, "Report not found"],
    ["was deleted", refusal(410, "gone", "x"), 410, "Report removed"],
    ["can't be loaded", undefined, 503, "Failed to load report"],
    [
      "fails in the registry",
      refusal(500, "internal", "secret cause"),
      503,
      "Failed to load report",
    ],
    ["is requested too often", refusal(429, "too_many", "x"), 429, "Too many requests"],
  ])("has its own page if it %s", async (_what, answer, status, heading) => {
    const shown = await get("/report/quinn-harper", {
      "GET /prod/api/reports/quinn-harper": answer,
    });
    expect(shown.status).toBe(status);
    expect(shown.html).toContain(`>${heading}</h1>`);
    expect(shown.html).toContain('<meta name="robots" content="noindex"/>');
    expect(shown.html).not.toContain("secret cause");
    expect(shown.html).not.toContain("Quinn");
    // The layout is still there, so visitors can navigate.
    expect(shown.html).toContain("Search Database");
  });
});
