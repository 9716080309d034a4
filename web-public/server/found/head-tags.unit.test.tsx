import { expect, it } from "vitest";
import { aReport, ok } from "../../testing/fake-registry.ts";
import { get } from "../../testing/get-page.ts";

const REPORT = "GET /prod/api/reports/quinn-harper";

/** Returns the page's Open Graph tags by property. */
function openGraph(html: string): Record<string, string> {
  const tags = html.matchAll(/<meta property="(og:[^"]+)" content="([^"]*)"\/>/g);
  return Object.fromEntries([...tags].map(([, property, content]) => [property, content]));
}

function jsonLd(html: string) {
  const [, nonce, text] =
    /<script type="application\/ld\+json" nonce="([^"]+)">([^<]*)<\/script>/.exec(html) ?? [];
  return { nonce, data: JSON.parse(text ?? "null") };
}

it("a report's head describes it to crawlers, revealing only the person's name and place", async () => {
  const { html } = await get("/report/quinn-harper", { [REPORT]: ok(aReport()) });
  const head = html.slice(0, html.indexOf("</head>"));
  expect(openGraph(head)).toMatchObject({
    "og:title": "Quinn Harper: Disputed a delivered order",
    "og:url": "https://registry.test/report/quinn-harper",
    "og:image": "https://registry.test/report/quinn-harper/picture.png",
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": "Chargeback Registry: reported, not independently verified",
  });
  const { nonce, data } = jsonLd(head);
  expect(nonce).toBe("n0nce");
  expect(data["@type"]).toBe("WebPage");
  expect(data.breadcrumb.itemListElement).toEqual([
    { "@type": "ListItem", position: 1, name: "Home", item: "https://registry.test/" },
    { "@type": "ListItem", position: 2, name: "Search", item: "https://registry.test/search" },
    {
      "@type": "ListItem",
      position: 3,
      name: "Quinn Harper",
      item: "https://registry.test/report/quinn-harper",
    },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/Review|Rating|Claim|Person/);
});

it("the tags can't be closed or extended by what a reporter typed", async () => {
  const hostile = `</script><script>alert(1)</script>"><meta property="og:image" content="x`;
  const { html } = await get("/report/quinn-harper", {
    [REPORT]: ok(aReport({ title: hostile, description: hostile, first_name: hostile })),
  });
  expect(html).not.toContain("<script>alert");
  const { data } = jsonLd(html);
  expect(data.description).toContain("</script><script>alert(1)</script>");
  expect(openGraph(html)["og:image"]).toBe("https://registry.test/report/quinn-harper/picture.png");
});

it.each([
  ["/nowhere", 404],
  ["/login", 200],
  ["/dashboard", 200],
  ["/verify-email/x", 200],
  ["/unsubscribe/x", 200],
])("leaves %s without tags and with noindex", async (url, status) => {
  const page = await get(url);
  expect(page.status).toBe(status);
  expect(page.html).toContain('<meta name="robots" content="noindex"/>');
  expect(openGraph(page.html)).toEqual({});
  expect(page.html).not.toContain("ld+json");
});

it("marks a removed report noindex", async () => {
  const { status, html } = await get("/report/quinn-harper", {
    [REPORT]: {
      status: 410,
      body: { success: false, error: { code: "report_deleted", message: "gone" } },
    },
  });
  expect(status).toBe(410);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain("ld+json");
});
