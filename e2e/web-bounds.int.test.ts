import assert from "node:assert";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from "vitest";
import { inputBounds, NO_ROUTE } from "#http/bounds.ts";
import { createSharedPort, type SharedPort } from "#http/shared-port.ts";
import { composeWeb, type Web } from "#services/web/composition.ts";
import { readWebConfig } from "#services/web/config.ts";
import { hostileBodies, hostileQueries, hostileTexts } from "#test-kit/hostile.ts";
import {
  aHit,
  anOffender,
  aReport,
  aResult,
  fakeRegistry,
  ok,
  SITE_FACTS,
} from "../web-public/testing/fake-registry.ts";

/**
 * Most requests that a page sends to query-api, including the one that asks whether there are samples. In
 * addition, the footer's links are read for all pages together, at most once a second.
 */
const READS = 4;
/** Bytes of a page before compression. */
const PAGE_BYTES = 64 * 1024;

let web: Web;
let shared: SharedPort;
let port: number;
let fetched: MockInstance<typeof globalThis.fetch>;
const pages = ["/", "/search", "/report", "/report/quinn-harper", "/report/nobody"].concat(
  ["/verify-email/x", "/terms", "/nowhere", "/bad-address", "/assets/x.js", "/robots.txt"],
  ["/sitemap.xml", "/sitemaps/reports-1.xml", "/picture.png", "/report/quinn-harper/picture.png"],
  ["/admin", "/admin/reports", "/admin/assets/x.js", "/admin/favicon.svg", "/healthz"],
);

beforeAll(async () => {
  // Replaces query-api, whose own bounds have their own tests.
  const registry = fakeRegistry({
    "GET /prod/api/site": ok({ ...SITE_FACTS, samples: true }),
    "GET /prod/api/sitemap": ok({ sitemaps: [null] }),
    "GET /prod/api/sitemap/reports": ok({ reports: [], next: null }),
    "GET /prod/api/reports/recent": ok(Array.from({ length: 6 }, () => aHit())),
    "GET /prod/api/habitual-offenders": ok(Array.from({ length: 3 }, () => anOffender())),
    "GET /prod/api/reports/search": ok(
      aResult({ reports: Array.from({ length: 20 }, () => aHit()) }),
    ),
    "GET /prod/api/reports/quinn-harper": ok(aReport()),
  });
  fetched = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation((...sent) =>
      registry
        .fetch(...sent)
        .catch(() =>
          Response.json({ success: false, error: { code: "report_not_found" } }, { status: 404 }),
        ),
    );
  const config = readWebConfig({ PUBLIC_URL: "https://registry.example", RATE_LIMIT: "off" });
  web = await composeWeb(config, pino({ level: "silent" }));
  assert(web.routing);
  shared = createSharedPort(web.routing);
  ({ port } = await shared.listen({ host: "127.0.0.1", port: 0 }));
}, 180_000);
afterAll(async () => {
  await shared?.drain(0);
  await web?.stop();
  fetched?.mockRestore();
});

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
}

async function send({ method = "GET", path, headers = {}, body }: Sent) {
  const request = http.request({ port, method, path, headers, agent: false });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).byteLength;
  const hsts = response.headers["strict-transport-security"];
  return { status: response.statusCode ?? 0, bytes, hsts };
}

/** Sends a request and checks its cost against the bounds of docs/limits.md. */
async function expectBounded(kind: string, sent: Sent): Promise<number> {
  fetched.mockClear();
  const { status, bytes, hsts } = await send(sent);
  const addresses = fetched.mock.calls.map(([address]) => String(address));
  const isFooter = addresses.some((address) => new URL(address).pathname === "/prod/api/site");
  const reads = addresses.length - (isFooter ? 1 : 0);
  const what = `${sent.method ?? "GET"} ${sent.path.slice(0, 100)}: ${kind}: ${status}`;
  expect(status, what).toBeLessThan(500);
  expect(hsts, what).toBe("max-age=31536000");
  expect(reads, what).toBeLessThanOrEqual(READS);
  expect(bytes, what).toBeLessThanOrEqual(PAGE_BYTES);
  return status;
}

/** Spreads input that is read before a page is chosen: each page gets an eighth of it in turn. */
const inTurn = <T>(turn: number, all: readonly T[]) =>
  all.filter((_, at) => at % 8 === turn % 8 || at >= 16);

describe("the server of site and console, for any input", () => {
  it("stays within its limits: queries", async () => {
    for (const [turn, page] of pages.entries()) {
      const names = page === "/search" ? ["q", "state", "min", "sort", "page"] : ["q"];
      for (const { kind, text } of inTurn(turn, hostileQueries(names)))
        await expectBounded(kind, { path: `${page}?${text}` });
    }
  }, 240_000);

  it("stays within its limits: paths", async () => {
    const texts = Object.entries(hostileTexts).map(([kind, text]): [string, string] => [
      kind,
      encodeURIComponent(text.slice(0, 1500).toWellFormed()),
    ]);
    texts.push(["a deep path", "a/".repeat(5000)], ["folders above", "%2e%2e/".repeat(1500)]);
    texts.push(["slashes alone", "/".repeat(10_000)], ["no UTF-8", "%E0%A4%A"]);
    for (const [turn, page] of pages.entries())
      for (const [kind, text] of inTurn(turn, texts))
        await expectBounded(kind, { path: `${page}/${text}` });
    for (const path of ["*", "http://elsewhere.test/search", "//elsewhere.test", "/\\", "?q=a"])
      await expectBounded("no path", { path });
  }, 240_000);

  it("stays within its limits: headers", async () => {
    const headers: http.OutgoingHttpHeaders[] = [
      { cookie: `position=${"k".repeat(12_000)}` },
      { cookie: "position=a; ".repeat(1000) },
      { "accept-encoding": "a;q=0.1,".repeat(1500) },
      { "x-forwarded-for": "10.0.0.1, ".repeat(1000) },
      { "x-forwarded-for": "k".repeat(12_000) },
      { range: `bytes=${"0-0,".repeat(3000)}0-0` },
      { "if-none-match": '"k", '.repeat(2000) },
      { host: "k".repeat(12_000) },
      { expect: "100-continue", "content-length": 0 },
    ];
    for (const [turn, page] of pages.entries())
      for (const one of inTurn(turn, headers))
        await expectBounded(Object.keys(one).join(), { path: page, headers: one });
    const tooLong = { "user-agent": "k".repeat(inputBounds.headerBytes) };
    expect(await expectBounded("too long", { path: "/search", headers: tooLong })).toBe(431);
    expect(await expectBounded("too long", { path: `/${"k".repeat(17_000)}` })).toBe(431);
  }, 240_000);

  it("accepts no body: a long one is refused before it is parsed", async () => {
    const types = ["application/json", "application/x-www-form-urlencoded", "text/plain", "x"];
    const bodies = hostileBodies(NO_ROUTE.bodyBytes, ["a"]).slice(0, 12);
    const parse = vi.spyOn(JSON, "parse");
    const longest = () => Math.max(0, ...parse.mock.calls.map(([text]) => `${text}`.length));
    const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    for (const [turn, path] of pages.entries()) {
      const method = methods[turn % methods.length] ?? "";
      const { kind = "", text = "" } = bodies[turn % bodies.length] ?? {};
      const json = { "content-type": types[0] };
      await expectBounded(kind, { method, path, headers: json, body: text });
      parse.mockClear();
      const body = `"${"x".repeat(NO_ROUTE.bodyBytes)}"`;
      const type = types[turn % types.length];
      const headers = { "content-type": type };
      const status = await expectBounded(`long: ${type}`, { method, path, headers, body });
      // Not found, not allowed, cross-origin, too long, or of an unknown type: refused.
      expect([400, 403, 404, 405, 413, 415], `${method} ${path} ${type}`).toContain(status);
      expect(longest(), `${method} ${path}`).toBeLessThan(body.length);
    }
    parse.mockRestore();
  }, 240_000);

  it("stays within its limits: random input", async () => {
    const text = fc.oneof(fc.constantFrom(...Object.values(hostileTexts)), fc.string());
    const encoded = text.map((t) => encodeURIComponent(t.slice(0, 300).toWellFormed()));
    const name = fc.constantFrom("q", "state", "min", "max", "reason", "sort", "page", "surprise");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pages),
        fc.array(fc.tuple(name, encoded), { maxLength: 6 }),
        async (page, pairs) => {
          const query = pairs.map(([key, value]) => `${key}=${value}`).join("&");
          await expectBounded("at random", { path: `${page}?${query.slice(0, 12_000)}` });
        },
      ),
      { numRuns: 40 },
    );
  }, 240_000);
});
