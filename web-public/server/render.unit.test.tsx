import { describe, expect, it } from "vitest";
import { aHit, anOffender, aReport, aResult, ok } from "../testing/fake-registry.ts";
import { CONFIG, get } from "../testing/get-page.ts";

const EVIL = '</script><script>alert("x")</script><img src=x onerror=alert(1)>';

describe("a server-rendered page", () => {
  it("is a complete document: language, title, description, canonical URL, styles, script", async () => {
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

  it("has no inline script without the nonce, no inline style and no event handler", async () => {
    for (const url of ["/", "/search?q=x", "/report", "/terms", "/faq", "/nowhere"]) {
      const { html } = await get(url);
      const scripts = html.match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(1);
      for (const script of scripts) {
        expect(script).toMatch(/nonce="n0nce"|type="application\/json"/);
      }
      expect(html).not.toMatch(/<[^>]+\s(style|on[a-z]+)=/);
    }
  });

  it("forwards the visitor's address and the position of their last write", async () => {
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

  it("shows user input as text, in the page and in its data", async () => {
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
    // The page's own four scripts: session mark, configuration, hydration data, entry.
    expect(html.match(/<\/script>/g)).toHaveLength(4);
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

  it("says so if there is no offender and no report", async () => {
    const { html } = await get("/", {
      "GET /prod/api/reports/recent": ok([]),
      "GET /prod/api/habitual-offenders": ok([]),
    });
    expect(html).toContain("No habitual offenders found yet. Start by reporting repeat offenders!");
    expect(html).toContain("No reports have been published yet.");
  });

  it("shows the registry's own numbers, and others' numbers with source and year", async () => {
    const { html } = await get("/");
    expect(html).toMatch(/published reports<\/dt><dd[^>]*>1,234</);
    expect(html).toMatch(/people reported<\/dt><dd[^>]*>987</);
    expect(html).toContain(">€20.50<");
    expect(html).toContain(">$98,765.43<");
    for (const [figure, source] of [
      ["$48B+", "Juniper Research, October 2022"],
      ["75%", "Visa, June 2022"],
      ["337M", "Mastercard, March 2024"],
    ] as const) {
      expect(html.split(source)[1]?.split("</dd>")[0]).toContain(`>${figure}`);
    }
    expect(html).toContain("<strong>24/7 access.</strong>");
  });

  it("ends with the links and notices that every page has", async () => {
    for (const url of ["/", "/search", "/login", "/terms", "/nowhere"]) {
      const footer = /<footer.*<\/footer>/s.exec((await get(url)).html)?.[0] ?? "";
      const links = [...footer.matchAll(/<a\b[^>]* href="([^"]*)"[^>]*>([^<]*)<\/a>|<a\b[^>]*>/g)];
      const leadsTo = Object.fromEntries(links.map(([, href, words]) => [words, href]));
      expect(leadsTo, url).toMatchObject({
        Home: "/",
        "Search Database": "/search",
        "Report Abuse": "/report",
        "Enterprise Solutions": "/enterprise",
        "Terms of Service": "/terms",
        "Privacy Policy": "/privacy",
        "DMCA Policy": "/dmca",
        "Legal Disclaimer": "/disclaimer",
        "support@registry.test": "mailto:support@registry.test",
      });
      for (const notice of ["Not independently verified.", "DMCA compliant.", "children under 13."])
        expect(footer, url).toContain(notice);
    }
  });

  it("links to the search, the form, all offenders and the FAQ", async () => {
    const { html } = await get("/");
    for (const [words, href] of [
      ["Report Chargeback Fraud", "/report"],
      ["View All Offenders", "/search?offenders=all"],
      ["Get Started Today", "/report"],
      ["LEARN MORE", "/faq"],
    ] as const) {
      const links = html.match(/<a\b[^>]*>[^<]*/g) ?? [];
      const link = links.find((text) => text.endsWith(`>${words}`));
      expect(link).toContain(`href="${href}"`);
    }
    expect(html).toContain('aria-label="Search Chargeback Offenders"');
  });

  it("shows the top offender's name, reports, total and latest report, with a link to it", async () => {
    const { html } = await get("/");
    const card = /Top habitual offender.*?<\/article>/s.exec(html)?.[0] ?? "";
    expect(card).toMatch(/href="\/report\/morgan-vale-3"[^>]*>Morgan Vale</);
    for (const text of [
      "3 reports",
      "$2,140.00",
      "Third order disputed after delivery",
      "The parcel was signed for. The buyer disputed the payment a month later.",
      "Austin, TX",
    ])
      expect(card).toContain(text);
  });

  it("describes the registry in tiles, and explains chargeback fraud", async () => {
    const { html } = await get("/");
    const features = /<section aria-labelledby="features".*?<\/section>/s.exec(html)?.[0] ?? "";
    expect([...features.matchAll(/<h3>(.*?)<\/h3><p>(.*?)<\/p>/g)]).toHaveLength(4);
    expect(html).toMatch(/>What is chargeback fraud\?<\/h2><p>A chargeback returns a card payment/);
    expect(html).toMatch(/>How does this registry work\?<\/h3><ol>/);
  });

  it("shows the status of an offender's latest report", async () => {
    const { html } = await get("/");
    const card = /Top habitual offender.*?<\/article>/s.exec(html)?.[0] ?? "";
    expect(card).toContain(">In progress<");
    expect(card).not.toContain("Unresolved");
  });

  it("works without the registry, and shows no offenders", async () => {
    const { status, html, faults } = await get("/", {
      "GET /prod/api/reports/recent": undefined,
      "GET /prod/api/habitual-offenders": undefined,
      "GET /prod/api/figures": undefined,
    });
    expect(status).toBe(200);
    expect(html).not.toContain("In this registry today");
    expect(html).toContain("We couldn&#x27;t load the newest reports.");
    expect(html).toContain('name="q"');
    expect(html).not.toContain("abitual offender</h2>");
    expect(faults).toHaveLength(3);
  });

  it("truncates an offender's description to 150 characters", async () => {
    const latest = { ...anOffender().latest_report, description: "d".repeat(151) };
    const { html } = await get("/", {
      "GET /prod/api/habitual-offenders": ok([anOffender({ latest_report: latest })]),
    });
    expect(html).toContain(`>${"d".repeat(150)}…<`);
  });
});

describe("the other pages", () => {
  it("show the form, which can't be sent before the terms are accepted", async () => {
    const { status, html, calls } = await get("/report");
    expect(status).toBe(200);
    expect(html).toMatch(/<button[^>]*type="submit"[^>]*disabled[^>]*>Submit Report/);
    expect(html).toContain("Without JavaScript the form works");
    // It reads which terms are in force, and nothing else.
    expect(calls.map(({ path }) => path)).toEqual(["/prod/api/site"]);
  });

  it("don't use an emailed link until a button is pressed", async () => {
    const { status, html, calls } = await get("/verify-email/token-of-a-mail");
    expect(status).toBe(200);
    expect(html).toContain("Confirm Email");
    expect(calls).toEqual([]);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  it.each(["terms", "privacy", "disclaimer", "dmca"])(
    "show the %s text with its version and date",
    async (slug) => {
      const { status, html } = await get(`/${slug}`);
      expect(status).toBe(200);
      expect(html).toMatch(
        /Version (<!-- -->)?2026-11-21(<!-- -->)?, effective(<!-- --> <!-- -->| )<time dateTime="2026-11-21">November 21, 2026</,
      );
      expect(html).toContain(`<p>Words of ${slug}.</p>`);
      expect(html).toContain(`<link rel="canonical" href="https://registry.test/${slug}"/>`);
    },
  );

  it("show and search every question with its answer", async () => {
    const { html } = await get("/faq");
    expect(html).toContain("<h2>What is the registry?</h2>");
    expect(html).toMatch(/<div id="cost"[^>]*><div[^>]*><p><strong>Free<\/strong>\.<\/p>/);
    const found = (await get("/faq?q=free")).html;
    expect(found).toContain("What does it cost?</h2>");
    expect(found).not.toContain("What is the registry?</h2>");
    expect((await get("/faq?q=nowhere")).html).toContain("No questions match.");
  });

  it.each(["/terms", "/faq"])("say so if the registry is down for %s", async (url) => {
    const answers = { "GET /prod/api/content/terms": undefined, "GET /prod/api/faq": undefined };
    const { status, html } = await get(url, answers);
    expect(status).toBe(503);
    expect(html).toContain("Failed to load this page");
  });

  it("return 404 for an unknown URL", async () => {
    for (const url of ["/nowhere", "/report/a/b", "/enterprise/plans"]) {
      const { status, html } = await get(url);
      expect(status).toBe(404);
      expect(html).toContain("Page not found");
    }
  });

  it("link only to pages that exist", async () => {
    for (const url of ["/", "/search", "/report", "/terms", "/faq", "/nowhere"]) {
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

  it("say that there are sample reports, without showing visitors operator commands", async () => {
    const { html } = await get(
      "/terms",
      {},
      {
        config: { ...CONFIG, samples: true },
      },
    );
    expect(html).toMatch(/Sample data\..* Some reports are made up\./);
    expect(html).not.toContain("npm run");
    expect((await get("/terms")).html).not.toContain("Sample data.");
  });
});

describe("the maintenance banner", () => {
  it("shows staff's message and the expected end on every page", async () => {
    const maintenance = { message: "We move to new <b>machines</b>." };
    const banner = async (change: object) => {
      const { html } = await get("/terms", {}, { config: { ...CONFIG, ...change } });
      return /<aside[^>]* aria-label="Maintenance".*?<\/aside>/s.exec(html)?.[0];
    };
    expect(await banner({})).toBeUndefined();
    expect(await banner({ maintenance })).toContain("We move to new &lt;b&gt;machines&lt;/b&gt;.");
    const until = "2026-11-24T14:05:00.000Z";
    expect(await banner({ maintenance: { ...maintenance, until } })).toContain(
      "Expected to end on November 24, 2026, 2:05 PM UTC.",
    );
  });
});

describe("an unexpected error", () => {
  it("isn't exposed in the page or its data if it happens during loading", async () => {
    const { status, html, errors } = await get("/", {
      "GET /prod/api/habitual-offenders": ok(null),
    });
    expect(status).toBe(500);
    expect(html).toContain("Something went wrong");
    expect(html).not.toMatch(/TypeError|null \(reading/);
    expect(errors).toHaveLength(1);
  });

  it("doesn't hide that the client disconnected", async () => {
    await expect(get("/", {}, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it("becomes a plain 500 without details, and is reported", async () => {
    const { status, html, errors } = await get("/report/quinn-harper", {
      "GET /prod/api/reports/quinn-harper": ok({ id: "no report at all" }),
    });
    expect(status).toBe(500);
    expect(html).toContain("Something went wrong");
    expect(html).not.toMatch(/undefined|TypeError|stack/);
    expect(errors).toHaveLength(1);
  });

  it("is shown as the failure that the caller specifies", async () => {
    const failure = {
      status: 405,
      heading: "This page is read-only",
      text: "Nothing was sent.",
    };
    const { status, html } = await get("/terms", {}, { failure });
    expect(status).toBe(405);
    expect(html).toContain("This page is read-only");
    expect(html).not.toContain("Version 2026");
  });
});
