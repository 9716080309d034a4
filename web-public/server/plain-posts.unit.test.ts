import Fastify from "fastify";
import { expect, it } from "vitest";
import { isFromThisSite, plainPostRoutes } from "./plain-posts.ts";

const PUBLIC = "https://registry.test";

it.each([
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "same-origin", origin: "http://127.0.0.1:3000" }, true],
  [{ "sec-fetch-site": "cross-site", origin: PUBLIC }, false],
  [{ "sec-fetch-site": "same-site", origin: PUBLIC }, false],
  [{ "sec-fetch-site": "none" }, false],
  [{ origin: PUBLIC }, true],
  [{ origin: "https://registry.test.evil.test" }, false],
  [{ origin: "null" }, false],
  [{}, false],
])("accepts a form with the headers %j: %s", (headers, taken) => {
  expect(isFromThisSite(headers, PUBLIC)).toBe(taken);
});

async function site() {
  const app = Fastify({ bodyLimit: 2048 });
  const forms: string[] = [];
  await app.register((scope) =>
    plainPostRoutes(scope, PUBLIC, async (_request, reply, form) => {
      forms.push(form);
      return reply.send("page");
    }),
  );
  return { app, forms };
}

const FORM = { "content-type": "application/x-www-form-urlencoded", origin: PUBLIC };

it("accepts forms within their limits, and nothing else", async () => {
  const { app, forms } = await site();
  const send = async (url: string, payload: string, headers: Record<string, string> = FORM) =>
    (await app.inject({ method: "POST", url, payload, headers })).statusCode;
  expect(await send("/report", "title=x&city=%C5%81%C3%B3d%C5%BA")).toBe(200);
  expect(await send("/verify-email/tok", "")).toBe(200);
  expect(forms).toEqual(["title=x&city=%C5%81%C3%B3d%C5%BA", ""]);
  for (const page of ["/report-question/tok", "/inquiry-answer/tok"]) {
    expect(await send(page, `answer=${"%E2%82%AC".repeat(5000)}`)).toBe(200);
    expect(await send(page, "x".repeat(64 * 1024 + 1))).toBe(413);
    expect(forms.pop()).toMatch(/^answer=/);
  }
  expect(await send("/report-question/tok", "", { ...FORM, origin: "https://evil.test" })).toBe(
    403,
  );
  expect(await send("/report", "x".repeat(256 * 1024 + 1))).toBe(413);
  expect(await send("/verify-email/tok", "x".repeat(16 * 1024 + 1))).toBe(413);
  expect(await send("/report", "{}", { ...FORM, "content-type": "application/json" })).toBe(415);
  expect(await send("/report", "a=b", { ...FORM, origin: "https://evil.test" })).toBe(403);
  expect(forms).toHaveLength(2);
});

it("rejects a form with more fields than any real one, and more than 30 forms a minute", async () => {
  const { app, forms } = await site();
  const send = async (payload: string) =>
    (await app.inject({ method: "POST", url: "/report", payload, headers: FORM })).statusCode;
  expect(await send("a&".repeat(800))).toBe(200);
  expect(await send("a&".repeat(801))).toBe(413);
  expect(await send("a&".repeat(128 * 1024))).toBe(413);
  expect(forms).toHaveLength(1);
  const more: number[] = [];
  for (let n = 0; n < 30; n += 1) more.push(await send("title=x"));
  expect(more.filter((status) => status === 429)).toHaveLength(3);
});
