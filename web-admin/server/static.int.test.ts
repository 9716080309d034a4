import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildConsoleApp } from "./static.ts";

const PAGE = `<html data-theme="__THEME__"><meta property="csp-nonce" nonce="__CSP_NONCE__" /><title>__PRODUCT_NAME__</title>`;

let distDir: string;
let app: FastifyInstance;

beforeAll(async () => {
  distDir = await mkdtemp(path.join(tmpdir(), "console-"));
  await mkdir(path.join(distDir, "assets"));
  await writeFile(path.join(distDir, "index.html"), PAGE);
  await writeFile(path.join(distDir, "favicon.svg"), "<svg/>");
  await writeFile(path.join(distDir, "pdf-frame.html"), "frame");
  await writeFile(path.join(distDir, ".sources.json"), "secret");
  await writeFile(path.join(distDir, "assets/index-abc.js"), "plain");
  await writeFile(path.join(distDir, "assets/index-abc.js.br"), "packed");
  app = await buildConsoleApp({ distDir, productName: 'Registry <"&">' });
});
afterAll(async () => {
  await app.close();
  await rm(distDir, { recursive: true });
});

describe("the console's server", () => {
  it.each([
    "/admin",
    "/admin/",
    "/admin/login",
    "/admin/reports?page=2",
    "/admin/reports/1/history",
  ])("serves the page at %s", async (url) => {
    const reply = await app.inject({ url });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.body).toContain("Registry &lt;&quot;&amp;&quot;&gt;");
  });

  it("gives each response its own nonce, for styles only", async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const reply = await app.inject({ url: "/admin" });
        const nonce = /nonce="([^"]+)"/.exec(reply.body)?.[1] ?? "";
        const policy = String(reply.headers["content-security-policy"]);
        expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
        expect(policy).toMatch(/script-src 'self'(;|$)/);
        expect(policy).not.toContain("unsafe");
        return nonce;
      }),
    );
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it.each([
    [undefined, "<html>"],
    ["theme=dark", '<html data-theme="dark">'],
    ["a=b; theme=light", '<html data-theme="light">'],
    ['theme="><script>', "<html>"],
  ])("with the cookies %j, starts the page with %s", async (cookie, start) => {
    const reply = await app.inject({ url: "/admin", headers: cookie ? { cookie } : {} });
    expect(reply.body.startsWith(`${start}<meta`)).toBe(true);
  });

  it("serves the console's own page with 404 for an unknown address", async () => {
    for (const url of ["/admin/nothing", "/admin/reports/1/2/3", "/admin/assetsx"]) {
      const reply = await app.inject({ url });
      expect([url, reply.statusCode]).toEqual([url, 404]);
      expect(reply.body).toContain("csp-nonce");
    }
  });

  it("lets hashed files be cached forever, compressed if the browser accepts it", async () => {
    const url = "/admin/assets/index-abc.js";
    const plain = await app.inject({ url });
    expect(plain.body).toBe("plain");
    expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(plain.headers["content-security-policy"]).toContain("default-src 'none'");
    const packed = await app.inject({ url, headers: { "accept-encoding": "br" } });
    expect(packed.headers["content-encoding"]).toBe("br");
    expect(packed.body).toBe("packed");
  });

  it("gives the frame that renders PDFs no origin, no network and only its own scripts", async () => {
    const { headers, body } = await app.inject({ url: "/admin/pdf-frame.html" });
    expect(body).toBe("frame");
    expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
    expect(String(headers["content-security-policy"]).split(";").sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "font-src blob: data:",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "img-src blob: data:",
      "sandbox allow-scripts",
      "script-src 'self'",
    ]);
    const page = await app.inject({ url: "/admin" });
    expect(page.headers["access-control-allow-origin"]).toBeUndefined();
    const asset = await app.inject({ url: "/admin/assets/index-abc.js" });
    expect(asset.headers["access-control-allow-origin"]).toBe("*");
  });

  it("serves nothing but its files", async () => {
    expect((await app.inject({ url: "/admin/favicon.svg" })).body).toBe("<svg/>");
    expect((await app.inject({ url: "/admin/assets/missing.js" })).statusCode).toBe(404);
    for (const url of [
      "/admin/assets/../index.html",
      "/admin/assets/%2e%2e/.sources.json",
      "/admin/.sources.json",
      "/admin/assets/..%2f.sources.json",
    ]) {
      expect((await app.inject({ url })).body, url).not.toContain("secret");
    }
    expect((await app.inject({ url: "/other" })).statusCode).toBe(404);
    expect((await app.inject({ url: "/admin", method: "POST" })).statusCode).toBe(404);
  });

  it("fails with a clear error if the console is not built", async () => {
    await expect(buildConsoleApp({ distDir: path.join(distDir, "none") })).rejects.toThrow(
      "The console is not built",
    );
  });
});
