import Fastify from "fastify";
import type { RouteObject } from "react-router-dom";
import { expect, it } from "vitest";
import { SITEMAP_PAGE, SITEMAP_SIZE } from "#contracts/http/sitemap.ts";
import { routes } from "../../src/routes.tsx";
import { type Answer, fakeRegistry, ok, refusal } from "../../testing/fake-registry.ts";
import { get } from "../../testing/get-page.ts";
import { INDEXED_PAGES, robotsTxt, sitemapRoutes } from "./sitemaps.ts";

const PUBLIC = "https://registry.test";

function site(answers: Readonly<Record<string, Answer>>) {
  const { fetch, calls } = fakeRegistry(answers);
  const app = Fastify();
  sitemapRoutes(app, {
    queryUrl: "http://query.test",
    publicUrl: PUBLIC,
    productName: "Chargeback Registry",
    timeoutMs: 1000,
    fetch,
  });
  return { app, calls };
}

const LIST = "GET /prod/api/sitemap";
const REPORTS = "GET /prod/api/sitemap/reports";
const place = (n: number) => `2026-05-01T10:00:00.000Z_${String(n).padStart(36, "0")}`;

/** Returns the paths of routes without parameters. */
function plainPaths(from: RouteObject[] = routes): string[] {
  return from.flatMap((route) => [
    ...(route.index ? ["/"] : []),
    ...(route.path && !/[:*]/.test(route.path) ? [`/${route.path}`] : []),
    ...plainPaths(route.children ?? []),
  ]);
}

it("lists exactly the pages that may be indexed", async () => {
  const indexed: string[] = [];
  for (const path of plainPaths()) {
    const { html } = await get(path);
    if (html.includes('<link rel="canonical"')) indexed.push(path);
  }
  expect(INDEXED_PAGES.toSorted()).toEqual(indexed.toSorted());
  const { body } = await site({}).app.inject("/sitemaps/pages.xml");
  for (const path of indexed) expect(body).toContain(`<loc>${PUBLIC}${path}</loc>`);
});

it("lists one sitemap per part of the reports", async () => {
  const { app } = site({ [LIST]: ok({ sitemaps: [null, place(1)] }) });
  const reply = await app.inject("/sitemap.xml");
  expect(reply.headers).toMatchObject({
    "content-type": "application/xml; charset=utf-8",
    "cache-control": "public, max-age=60",
  });
  expect([...reply.body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc)).toEqual(
    ["pages", "content", "reports-1", "reports-2"].map((name) => `${PUBLIC}/sitemaps/${name}.xml`),
  );
});

it("lists published posts and pages with their last publication date", async () => {
  const { app } = site({
    "GET /prod/api/sitemap/content": ok([
      { path: "/blog/what-changed", updated_at: "2026-05-02T10:00:00.000Z" },
      { path: "/pages/about-us", updated_at: "2026-05-03T10:00:00.000Z" },
    ]),
  });
  const { body, headers } = await app.inject("/sitemaps/content.xml");
  expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
  expect(body).toContain(
    `<url><loc>${PUBLIC}/blog/what-changed</loc><lastmod>2026-05-02T10:00:00.000Z</lastmod></url>`,
  );
  expect(body).toContain(`<loc>${PUBLIC}/pages/about-us</loc>`);
  const away = site({ "GET /prod/api/sitemap/content": undefined });
  expect((await away.app.inject("/sitemaps/content.xml")).statusCode).toBe(503);
});

it("reads a sitemap page by page from its start, up to the protocol's limit", async () => {
  let page = 0;
  const { app, calls } = site({
    [LIST]: ok({ sitemaps: [null, place(7)] }),
    [REPORTS]: () => {
      page += 1;
      const reports = [{ seo_title: `person-${page}`, updated_at: "2026-05-02T10:00:00.000Z" }];
      return ok({ reports, next: place(100 + page) });
    },
  });
  const { body } = await app.inject("/sitemaps/reports-2.xml");
  const reads = calls.filter(({ path }) => path.endsWith("/reports"));
  expect(reads).toHaveLength(SITEMAP_SIZE / SITEMAP_PAGE);
  expect(reads.map(({ query }) => query.get("after")).slice(0, 3)).toEqual([
    place(7),
    place(101),
    place(102),
  ]);
  expect(reads[0]?.headers.get("x-forwarded-for")).toBe("127.0.0.1");
  expect(body).toContain(
    `<url><loc>${PUBLIC}/report/person-1</loc><lastmod>2026-05-02T10:00:00.000Z</lastmod></url>`,
  );
  expect(body.endsWith("</urlset>\n")).toBe(true);
});

it("aborts the response if the registry goes down midway, rather than send half a sitemap", async () => {
  let page = 0;
  const { app } = site({
    [LIST]: ok({ sitemaps: [null] }),
    [REPORTS]: () => (++page === 1 ? ok({ reports: [], next: place(1) }) : undefined),
  });
  await expect(app.inject("/sitemaps/reports-1.xml")).rejects.toThrow();
});

it.each([
  ["/sitemap.xml", undefined, 503],
  [
    "/sitemap.xml",
    refusal(429, "too_many_requests", "Wait", undefined, { "retry-after": "7" }),
    429,
  ],
  ["/sitemaps/reports-1.xml", undefined, 503],
  ["/sitemaps/reports-2.xml", ok({ sitemaps: [null] }), 404],
  ["/sitemaps/reports-0.xml", ok({ sitemaps: [null] }), 404],
  ["/sitemaps/reports-x.xml", ok({ sitemaps: [null] }), 404],
])("answers %s, if the registry returns %j, with %i", async (url, answer, status) => {
  const reply = await site({ [LIST]: answer }).app.inject(url);
  expect(reply.statusCode).toBe(status);
  if (status === 429) expect(reply.headers["retry-after"]).toBe("7");
});

it("keeps crawlers out of the API and the console, and leaves noindex to account pages", () => {
  const text = robotsTxt(PUBLIC);
  expect(text).toContain("Disallow: /prod/\n");
  expect(text).toContain("Disallow: /admin\n");
  // Pages linked from emails, whose URLs contain a token.
  for (const page of [
    "verify-email",
    "reset-password",
    "sign-in-link",
    "change-email",
    "undo-email-change",
  ])
    expect(text).toContain(`Disallow: /${page}/\n`);
  expect(text).toContain(`Sitemap: ${PUBLIC}/sitemap.xml\n`);
  expect(text).not.toMatch(/login|register|dashboard|profile|account/);
});
