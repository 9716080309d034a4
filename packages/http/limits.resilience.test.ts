import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DoneReply } from "#contracts/http/envelope.ts";
import { createLogger } from "#runtime/log.ts";
import { noOwnRedis, type OwnRedis, startOwnRedis } from "#test-kit/redis-server.ts";
import { fixedKey } from "#vault/keys/key-store.ts";
import { openSharedCounters } from "./counters/redis/shared-counters.ts";
import { done } from "./envelope.ts";
import { limitClasses } from "./limits.ts";
import { createTestService } from "./testing/test-service.ts";

const everybody = ["visitor", "user", "admin", "auditor"] as const;
const soon = { timeout: 25_000, interval: 10 };

describe("limits of several processes on one Redis server", () => {
  let server: OwnRedis;
  beforeAll(async () => {
    if (noOwnRedis === undefined) server = await startOwnRedis();
  });
  afterAll(() => server?.dispose());

  const test = (title: string, run: () => Promise<void>) =>
    it(title, async (context) => {
      if (noOwnRedis) context.skip(noOwnRedis);
      await run();
    });

  /** A service as in a separate process. Services with the same `key` share counters. */
  async function service(key: Buffer, callLimitMs = 500) {
    const destination = new Writable({ write: (_chunk, _encoding, ended) => ended() });
    const log = createLogger({ name: "test", destination });
    const keys = { liveKey: async () => fixedKey(key) };
    const sharedCounters = await openSharedCounters(server.url, keys, log, callLimitMs);
    const { app } = await createTestService({ limits: "on", sharedCounters });
    onTestFinished(async () => {
      await app.close();
      sharedCounters?.close();
    });
    const schema = { response: { 200: DoneReply } };
    for (const limit of ["sign_in", "search", "contact_search"] as const)
      app.get(`/${limit}`, { config: { roles: everybody, limit }, schema }, async () => done("ok"));
    await app.ready();
    const ask = async (url: string) =>
      (await app.inject({ url, remoteAddress: "203.0.113.5" })).statusCode;
    const isReachable = () => sharedCounters?.state().reachable;
    await expect.poll(isReachable, soon).toBe(true);
    return { app, ask, isReachable };
  }
  const times = async <T>(count: number, call: (n: number) => Promise<T>) => {
    const found: T[] = [];
    for (let n = 0; n < count; n += 1) found.push(await call(n));
    return found;
  };
  const allowed = (count: number) => Array.from({ length: count }, () => 200);
  const { max } = limitClasses.sign_in.ip;

  test("share one limit, by address and by pace", async () => {
    const key = randomBytes(32);
    // A loaded machine may respond slowly; another test covers that.
    const [one, two] = [await service(key, 20_000), await service(key, 20_000)];
    const turn = (url: string) => (n: number) => (n % 2 ? one : two).ask(url);
    expect(await times(max, turn("/sign_in"))).toEqual(allowed(max));
    expect([await one.ask("/sign_in"), await two.ask("/sign_in")]).toEqual([429, 429]);
    const { after } = limitClasses.search.pace;
    // A search is free again after six seconds, which a slow machine may need for these calls.
    const searched = await times(after + 20, turn("/search"));
    expect(searched.slice(0, after)).toEqual(allowed(after));
    expect(searched).toContain(429);
  });

  test("count sign-ins in memory and do not limit searches while the server is down", async () => {
    const { app, ask, isReachable } = await service(randomBytes(32));
    await server.kill();
    onTestFinished(() => server.start());
    await expect.poll(isReachable, soon).toBe(false);
    expect(await times(max, () => ask("/sign_in"))).toEqual(allowed(max));
    expect(await ask("/sign_in")).toBe(429);
    expect(await times(40, () => ask("/search"))).toEqual(allowed(40));
    const contacts = limitClasses.contact_search.ip.max;
    expect(await times(contacts, () => ask("/contact_search"))).toEqual(allowed(contacts));
    expect(await ask("/contact_search")).toBe(429);
    const metrics = await app.inject({ url: "/metrics" });
    expect(metrics.body).toMatch(/^rate_limit_counters_reachable\{.*\} 0$/m);
    expect(metrics.body).toMatch(/^rate_limit_fallbacks_total\{.*\} [1-9]\d+$/m);
  });

  test("keep responding while the server is frozen, and are shared again afterward", async () => {
    const key = randomBytes(32);
    const [one, two] = [await service(key), await service(key)];
    await server.freeze();
    onTestFinished(() => server.thaw());
    expect(await times(max, () => one.ask("/sign_in"))).toEqual(allowed(max));
    expect(await one.ask("/sign_in")).toBe(429);
    expect(await times(40, () => two.ask("/search"))).toEqual(allowed(40));
    server.thaw();
    await expect.poll(one.isReachable, soon).toBe(true);
    await expect.poll(two.isReachable, soon).toBe(true);
    await expect.poll(() => one.ask("/sign_in"), soon).toBe(200);
    await expect.poll(() => two.ask("/sign_in"), soon).toBe(429);
  });
});
