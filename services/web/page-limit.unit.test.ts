import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createCounters } from "#http/counters/counters.ts";
import { limitClasses } from "#http/limit-classes.ts";
import { createLimits } from "#http/limits.ts";
import { trustHops } from "#http/service.ts";
import { createPageLimit } from "./page-limit.ts";

let app: FastifyInstance;
beforeEach(() => {
  app = Fastify({ trustProxy: trustHops(1) });
});
afterEach(() => app.close());

it("answers 429 with a page for too many pages of one network, and never for files", async () => {
  app.addHook("onRequest", createPageLimit(createLimits(await createCounters(app), true)));
  for (const path of ["/assets/*", "/robots.txt", "/", "/*"]) app.get(path, async () => "found");
  const ask = (url: string, from: string) =>
    app.inject({ url, headers: { "x-forwarded-for": from } });
  const { max } = limitClasses.page.ip;
  for (let i = 0; i < max; i += 1)
    expect((await ask(`/page/${i}`, `2001:db8:0:1::${i}`)).statusCode).toBe(200);
  const refused = await ask("/", "2001:db8:0:1::ffff");
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused.headers["content-type"]).toContain("text/html");
  expect(refused.body).toContain("then reload this page");
  for (const url of ["/assets/x.js", "/robots.txt"])
    expect((await ask(url, "2001:db8:0:1::1")).body).toBe("found");
  expect((await ask("/", "2001:db8:0:2::1")).statusCode).toBe(200);
});

it("counts nothing while admins have lifted the limits, and counts again afterwards", async () => {
  let areLifted = true;
  const limits = createLimits(await createCounters(app), true, () => areLifted);
  app.addHook("onRequest", createPageLimit(limits));
  app.get("/", async () => "found");
  const ask = async () => (await app.inject("/")).statusCode;
  const { max } = limitClasses.page.ip;
  for (let i = 0; i <= max; i += 1) expect(await ask()).toBe(200);
  areLifted = false;
  for (let i = 0; i < max; i += 1) expect(await ask()).toBe(200);
  expect(await ask()).toBe(429);
});
