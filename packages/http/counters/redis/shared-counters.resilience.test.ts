import { randomBytes, randomUUID } from "node:crypto";
import Fastify from "fastify";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startTcpProxy } from "#event-store/contract/tcp-proxy.ts";
import {
  noOwnRedis,
  noRedis,
  type OwnRedis,
  openTestRedis,
  startOwnRedis,
} from "#test-kit/redis-server.ts";
import { fixedKey } from "#vault/keys/key-store.ts";
import { createCounters } from "../counters.ts";
import { paceContract } from "../pace-contract.ts";
import type { Named, Window } from "../port.ts";
import { openSharedCounters, type SharedCounters } from "./shared-counters.ts";

/** A loaded machine may respond slowly. Most of these tests are not about that. */
const PATIENT = 20_000;
const soon = { timeout: 25_000, interval: 10 };
const sameKey = randomBytes(32);

/** @param told collects log messages, by level. */
async function openServer(
  url: string,
  { key = sameKey, callLimitMs = PATIENT, told = [] as string[] } = {},
): Promise<SharedCounters> {
  const log = { info: () => told.push("info"), warn: () => told.push("warn") };
  const keys = { liveKey: async () => fixedKey(key) };
  return (await openSharedCounters(url, keys, log, callLimitMs)) as SharedCounters;
}
const isBack = (server: SharedCounters) => () =>
  vi.waitFor(() => expect(server.state().reachable).toBe(true), soon);

paceContract(
  "redis",
  async () => {
    const server = await openTestRedis();
    const [first, second] = [await openServer(server.url), await openServer(server.url)];
    await isBack(first)();
    await isBack(second)();
    return {
      first: first.keepPace,
      second: second.keepPace,
      async dispose() {
        first.close();
        second.close();
        await server.dispose();
      },
    };
  },
  noRedis,
);

const HOUR = 3_600_000;
const window = { name: "test:ip", whenUnavailable: "memory", max: 2, windowMs: HOUR } as const;
const open = { ...window, name: "test:open", whenUnavailable: "open" } as const;
const pace = {
  name: "test:pace",
  whenUnavailable: "open",
  after: 1,
  everyMs: HOUR,
  resetMs: HOUR,
} as const;

describe("counters on a Redis server", () => {
  let redis: OwnRedis;
  beforeAll(async () => {
    if (noOwnRedis === undefined) redis = await startOwnRedis();
  });
  afterAll(() => redis?.dispose());

  const test = (title: string, run: () => Promise<void>) =>
    it(title, async (context) => {
      if (noOwnRedis) context.skip(noOwnRedis);
      await run();
    });

  async function process({
    url = redis.url,
    ...options
  }: Parameters<typeof openServer>[1] & { readonly url?: string } = {}) {
    const server = await openServer(url, options);
    const app = Fastify();
    onTestFinished(async () => {
      server.close();
      await app.close();
    });
    return { ...(await createCounters(app, server)), server, isBack: isBack(server) };
  }
  const calls = async (count: number, call: () => Promise<number>) => {
    const waits: number[] = [];
    for (let n = 0; n < count; n += 1) waits.push(await call());
    return waits.map((wait) => wait > 0);
  };
  function client() {
    const made = new Redis(redis.url);
    onTestFinished(() => made.disconnect());
    return made;
  }

  test("count every call of a window once, across processes", async () => {
    const [one, two] = [await process(), await process()];
    await one.isBack();
    await two.isBack();
    const key = randomUUID();
    const wide: Named<Window> = { ...window, max: 25 };
    const asked = Array.from({ length: 40 }, (_, n) => (n % 2 ? one : two).hit(wide, key));
    const waits = (await Promise.all(asked)).filter((wait) => wait > 0);
    expect(waits).toHaveLength(15);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(HOUR);
    expect(await one.hit(wide, randomUUID())).toBe(0);
    expect(await one.hit({ ...wide, name: "test:other" }, key)).toBe(0);
  });

  test("start over when a window has ended", async () => {
    const { hit, isBack } = await process();
    await isBack();
    const short = { ...window, max: 1, windowMs: 50 };
    const isOver = async () => (await hit(short, "short")) > 0;
    await expect.poll(isOver, soon).toBe(true);
    await expect.poll(isOver, soon).toBe(false);
  });

  test("store no address or account in plain text, and expire on their own", async () => {
    await client().flushall();
    const { hit, isBack, ...counters } = await process();
    await isBack();
    const personal = ["203.0.113.77", "6f1c2d34-1111-4222-8333-444455556666", "quinn@shop.example"];
    for (const text of personal) {
      await hit(window, text);
      await counters.pace(pace, text);
    }
    const reader = client();
    const names = await reader.keys("*");
    expect(names).toHaveLength(6);
    for (const name of names) {
      expect(await reader.pttl(name)).toBeGreaterThan(0);
      const isPace = (await reader.type(name)) === "hash";
      const value = isPace ? await reader.hgetall(name) : await reader.get(name);
      for (const text of personal) expect(`${name} ${JSON.stringify(value)}`).not.toContain(text);
      // No key may look like an address, whatever it represents.
      expect(name).toMatch(/^registry:limits:test:(ip|pace):[\w-]{22}$/);
    }
  });

  test("count separately with different service keys", async () => {
    const [one, other] = [await process(), await process({ key: randomBytes(32) })];
    await one.isBack();
    await other.isBack();
    const once = { ...window, max: 1 };
    expect(await calls(2, () => one.hit(once, "same"))).toEqual([false, true]);
    expect(await other.hit(once, "same")).toBe(0);
  });

  test("apply the rule's fallback while the server is down, and share again afterward", async () => {
    const told: string[] = [];
    const { hit, server, isBack, ...counters } = await process({ told });
    await isBack();
    expect(await calls(3, () => hit(window, "gone"))).toEqual([false, false, true]);
    await redis.kill();
    await expect.poll(() => server.state().reachable, soon).toBe(false);
    // Nothing was counted in memory yet.
    expect(await calls(3, () => hit(window, "gone"))).toEqual([false, false, true]);
    expect(await calls(5, () => hit(open, "gone"))).toEqual(Array.from({ length: 5 }, () => false));
    expect(await calls(2, () => counters.pace(pace, "gone"))).toEqual([false, false]);
    expect(await counters.wasHit(window, "gone")).toBe(true);
    expect(await counters.wasHit(open, "gone")).toBe(false);
    expect(server.state()).toEqual({ reachable: false, fallbacks: 12 });
    await redis.start();
    await isBack();
    expect(await counters.wasHit(window, "gone")).toBe(false);
    expect(await hit(window, "gone")).toBe(0);
    expect(await counters.wasHit(window, "gone")).toBe(true);
    expect(server.state().fallbacks).toBe(12);
    expect(told).toEqual(["info", "warn", "info"]);
  });

  test("give up on a server that does not respond, and use it again when it does", async () => {
    const { hit, server, isBack } = await process({ callLimitMs: 100 });
    await isBack();
    await redis.freeze();
    onTestFinished(() => redis.thaw());
    // Each call settles even though no reply ever comes.
    await Promise.all(Array.from({ length: 20 }, () => hit(open, "frozen")));
    await expect.poll(() => server.client.status, soon).not.toBe("ready");
    expect(server.state()).toEqual({ reachable: false, fallbacks: 20 });
    redis.thaw();
    const isShared = async () => {
      await hit(open, "thawed");
      return server.state().reachable;
    };
    await expect.poll(isShared, soon).toBe(true);
  });

  test("keep no pending calls to an unresponsive server in memory, however many come", async () => {
    const proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(redis.url).port) });
    onTestFinished(() => proxy.close());
    const { hit, server, isBack } = await process({
      url: `redis://127.0.0.1:${proxy.port}`,
      callLimitMs: 500,
    });
    await isBack();
    const { client } = server;
    const queues = client as unknown as Record<"commandQueue" | "offlineQueue", { length: number }>;
    const held = () => queues.commandQueue.length + queues.offlineQueue.length;
    const flood = () => Promise.all(Array.from({ length: 500 }, () => hit(open, "silent")));
    const early = flood();
    proxy.swallow();
    await early;
    await expect.poll(() => client.status, soon).not.toBe("ready");
    // The client keeps reconnecting; only its own request is pending.
    for (let n = 0; n < 4; n += 1) await flood();
    await expect.poll(held, soon).toBeLessThanOrEqual(5);
    proxy.restore();
    await isBack();
    expect(held()).toBeLessThanOrEqual(5);
  });

  test("can be opened and closed while the server is down or unresponsive", async () => {
    await redis.kill();
    const away = await process();
    expect(away.state().reachable).toBe(false);
    await redis.start();
    await away.isBack();
    await redis.freeze();
    onTestFinished(() => redis.thaw());
    const frozen = await process({ callLimitMs: 100 });
    expect(frozen.state().reachable).toBe(false);
    frozen.server.close();
    away.server.close();
  });

  test("survive the loss of scripts and counts on the server", async () => {
    const { hit, isBack } = await process();
    await isBack();
    const once = { ...window, max: 1 };
    await hit(once, "wiped");
    const other = client();
    await other.flushall();
    await other.script("FLUSH");
    expect(await calls(2, () => hit(once, "wiped"))).toEqual([false, true]);
  });
});
