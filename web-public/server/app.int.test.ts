import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aReport, fakeRegistry, ok } from "../testing/fake-registry.ts";
import { buildSiteApp, type SiteOptions } from "./app.ts";
import type { Manifest } from "./client-files.ts";
import { readManifest } from "./client-files.ts";

const distDir = path.resolve(import.meta.dirname, "../dist");
const silent = Fastify({ logger: false }).log as FastifyBaseLogger;

let manifest: Manifest;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  manifest = await readManifest(distDir);
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
});

async function site(change: Partial<SiteOptions> = {}) {
  const registry = fakeRegistry({ "GET /prod/api/reports/quinn-harper": ok(aReport()) });
  const app = buildSiteApp({
    queryUrl: "http://query.test",
    publicUrl: "https://registry.test/",
    productName: "Chargeback Registry",
    supportEmail: "support@registry.test",
    distDir,
    trustProxy: 0,
    log: silent,
    fetch: registry.fetch,
    ...change,
  });
  apps.push(app);
  await app.ready();
  return { app, calls: registry.calls };
}

const entry = () => {
  const file = Object.values(manifest).find((chunk) => chunk.isEntry)?.file;
  if (!file) throw new Error("no entry in the manifest");
  return `/${file}`;
};

describe("the built site", () => {
  it("renders pages with a fresh nonce in the policy and on their scripts", async () => {
    const { app } = await site();
    const nonces = new Set<string>();
    for (const url of ["/", "/report/quinn-harper"]) {
      const reply = await app.inject(url);
      expect(reply.statusCode).toBe(200);
      expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
      const policy = String(reply.headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe-/);
      expect(policy).toContain("frame-ancestors 'none'");
      const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
      expect(reply.body).toContain(`<script nonce="${nonce}">window.__staticRouterHydrationData`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  it("sends security headers", async () => {
    const { headers } = await (await site()).app.inject("/search");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cache-control": "private, no-cache",
      vary: "accept-encoding, cookie",
    });
    const plain = await site({ publicUrl: "http://127.0.0.1:3000" });
    const reply = await plain.app.inject("/search");
    expect(reply.headers["content-security-policy"]).not.toContain("upgrade-insecure-requests");
  });

  it("lets browsers cache build files forever, compressed if they accept it", async () => {
    const { app } = await site();
    const plain = await app.inject(entry());
    expect(plain.statusCode).toBe(200);
    expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const packed = await app.inject({ url: entry(), headers: { "accept-encoding": "gzip, br" } });
    expect(packed.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect((await app.inject("/favicon.svg")).headers["content-type"]).toContain("image/svg+xml");
    expect((await app.inject("/favicon.ico")).headers.location).toBe("/favicon.svg");
  });

  it("links to files that exist", async () => {
    const { app } = await site();
    const { body } = await app.inject("/search");
    const files = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect((await app.inject(String(file))).statusCode).toBe(200);
  });

  it.each([
    "/",
    "/search",
    "/report/quinn-harper",
    "/faq",
    "/terms",
    "/privacy",
    "/disclaimer",
    "/dmca",
  ])(
    "sends no more than 110 kB of code, and 10 kB of styles, for a first view of %s",
    async (page) => {
      const { app } = await site();
      const { body, statusCode } = await app.inject(page);
      expect(statusCode).toBe(200);
      const files = new Set(
        [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file),
      );
      const bytes = { js: 0, css: 0 };
      for (const url of files) {
        const reply = await app.inject({ url: String(url), headers: { "accept-encoding": "br" } });
        bytes[String(url).endsWith(".css") ? "css" : "js"] += reply.rawPayload.length;
      }
      expect(bytes.js).toBeGreaterThan(50_000);
      expect(bytes.js).toBeLessThan(110_000);
      // All pages share one style sheet.
      expect(bytes.css).toBeGreaterThan(1_000);
      expect(bytes.css).toBeLessThan(10_000);
    },
  );

  it("compresses pages too", async () => {
    const { app } = await site();
    for (const [encoding, unpack] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const reply = await app.inject({ url: "/terms", headers: { "accept-encoding": encoding } });
      expect(reply.headers["content-encoding"]).toBe(encoding);
      expect(unpack(reply.rawPayload).toString()).toContain("</html>");
    }
  });

  it("answers HEAD like GET, without a body", async () => {
    const reply = await (await site()).app.inject({ method: "HEAD", url: "/terms" });
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe("");
  });

  it.each([
    ["GET", "/nowhere", 404, "Page not found"],
    ["GET", "/assets/nothing.js", 404, "Page not found"],
    ["GET", "//elsewhere.test/search", 404, "Page not found"],
    ["GET", "/%E0%A4%A", 400, "Bad request"],
    ["POST", "/search", 405, "This page is read-only"],
    ["POST", "/report", 403, "This form was not sent from our site"],
    ["DELETE", "/", 405, "This page is read-only"],
  ] as const)("answers %s %s with a page and %i", async (method, url, status, heading) => {
    const { app } = await site();
    const reply = await app.inject({ method, url });
    expect(reply.statusCode).toBe(status);
    expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(reply.headers["x-robots-tag"]).toBe("noindex");
    expect(String(reply.headers["content-security-policy"])).toContain("script-src 'self' 'nonce-");
    expect(reply.body).toContain(heading);
  });

  it("forwards the visitor's address, trusting only the configured proxies", async () => {
    const forwarded = { "x-forwarded-for": "198.51.100.9, 203.0.113.7" };
    for (const [trustProxy, address] of [
      [0, "127.0.0.1"],
      [1, "203.0.113.7"],
      [2, "198.51.100.9"],
    ] as const) {
      const { app, calls } = await site({ trustProxy });
      await app.inject({ url: "/search", headers: forwarded });
      expect(calls[0]?.headers.get("x-forwarded-for")).toBe(address);
    }
  });

  it("shows the sample-data banner with noindex, and works if the answer is unavailable", async () => {
    const answers = [{ samples: true } as const, undefined, {}];
    const { app } = await site({
      async siteFacts() {
        const answer = answers.shift();
        if (answer === undefined) throw new Error("no answer");
        return { pages: [], max_file_size: 10, ...answer };
      },
    });
    for (const shown of [true, true, false]) {
      const reply = await app.inject("/");
      expect(reply.body.includes("Sample data.")).toBe(shown);
      expect(reply.headers["x-robots-tag"]).toBe(shown ? "noindex" : undefined);
    }
    const unsure = await site({ siteFacts: () => Promise.reject(new Error("no log")) });
    const page = await unsure.app.inject("/");
    expect(page.statusCode).toBe(200);
    expect(page.headers).not.toHaveProperty("x-robots-tag");
  });

  it("asks search engines not to index the console or the API", async () => {
    const reply = await (await site()).app.inject("/robots.txt");
    expect(reply.body).toContain("Disallow: /prod/");
    expect(reply.body).toContain("Disallow: /admin");
  });

  it("fails to start without a build, and says why", async () => {
    await expect(site({ distDir: path.join(distDir, "missing") })).rejects.toThrow(
      /The site is not built/,
    );
  });
});
