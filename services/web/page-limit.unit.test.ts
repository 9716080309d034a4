import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createCounters } from "#http/counters/counters.ts";
import { limitClasses } from "#http/limits.ts";
import { trustHops } from "#http/service.ts";
import { createPageLimit } from "./apps.ts";

let app: FastifyInstance;
beforeEach(() => {
  app = Fastify({ trustProxy: trustHops(1) });
});
afterEach(() => app.close());

it("answers 429 with a page for too many page requests from one network, and never for files", async () => {
  const counters = await createCounters(app);
  app.addHook("onRequest", createPageLimit({ counters, siteFacts: async () => ({}) }));
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

it("limits no network while admins have lifted the limits, and limits it again afterward", async () => {
  let siteFacts = async (): Promise<{ unlimited?: true }> => ({});
  const counters = await createCounters(app);
  app.addHook("onRequest", createPageLimit({ counters, siteFacts: () => siteFacts() }));
  app.get("/", async () => "found");
  const ask = async () => (await app.inject("/")).statusCode;
  /** The status after the request that notices the change. */
  const askAfter = async (next: typeof siteFacts) => {
    siteFacts = next;
    await ask();
    return ask();
  };
  const { max } = limitClasses.page.ip;
  for (let i = 0; i < max; i += 1) expect(await ask()).toBe(200);
  expect(await ask()).toBe(429);
  expect(await askAfter(async () => ({ unlimited: true }))).toBe(200);
  for (let i = 0; i <= max; i += 1) expect(await ask()).toBe(200);
  expect(await askAfter(async () => ({}))).toBe(429);
  expect(await askAfter(async () => ({ unlimited: true }))).toBe(200);
  expect(await askAfter(() => Promise.reject(new Error("away")))).toBe(429);
});

it("counts nothing if limits are off", async () => {
  const counters = await createCounters(app);
  const siteFacts = async () => ({});
  app.addHook("onRequest", createPageLimit({ counters, siteFacts, limits: "off" }));
  app.get("/", async () => "found");
  for (let i = 0; i <= limitClasses.page.ip.max; i += 1)
    expect((await app.inject("/")).statusCode).toBe(200);
});
