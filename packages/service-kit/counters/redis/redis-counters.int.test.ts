import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  noOwnRedis,
  noRedis,
  type OwnRedis,
  openTestRedis,
  startOwnRedis,
} from "#test-kit/redis-server.ts";
import { countersContract } from "../contract-suite.ts";
import { CountersAway } from "../port.ts";
import { withFallback } from "../with-fallback.ts";
import { openRedisCounters, type RedisCountersOptions } from "./redis-counters.ts";

const key = randomBytes(32);
/** A machine under load may keep an answer waiting; these tests are not about that. */
const patient = { key, callLimitMs: 20_000 };

countersContract(
  "redis",
  async () => {
    const server = await openTestRedis();
    const first = await openRedisCounters({ ...patient, url: server.url });
    const second = await openRedisCounters({ ...patient, url: server.url });
    const reached = () => first.state().reachable && second.state().reachable;
    await vi.waitFor(() => expect(reached()).toBe(true), { timeout: 20_000 });
    return {
      first,
      second,
      async dispose() {
        await Promise.all([first.close(), second.close()]);
        await server.dispose();
      },
    };
  },
  noRedis,
);

const window = { name: "test:ip", whenAway: "memory", max: 5, windowMs: 3_600_000 } as const;
const pace = {
  name: "test:pace",
  whenAway: "open",
  after: 1,
  everyMs: 9_000,
  resetMs: 10_000,
} as const;
const memory = { name: "test:recent", whenAway: "memory", keep: 8, forMs: 3_600_000 } as const;
const soon = { timeout: 25_000, interval: 10 };

describe("counters on a Redis server", () => {
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

  async function open(options: Partial<RedisCountersOptions> = {}) {
    const told: boolean[] = [];
    const counters = await openRedisCounters({
      ...patient,
      url: server.url,
      onChange: (reachable) => told.push(reachable),
      ...options,
    });
    onTestFinished(() => counters.close());
    const isBack = () => expect.poll(() => counters.state().reachable, soon).toBe(true);
    return { counters, told, isBack };
  }

  test("hold no address, account or search in the clear, and end by themselves", async () => {
    const { counters, isBack } = await open();
    await isBack();
    const personal = ["203.0.113.77", "6f1c2d34-1111-4222-8333-444455556666", "quinn@shop.example"];
    for (const text of personal) {
      await counters.hit(window, text);
      await counters.pace({ ...pace, resetMs: 3_600_000 }, text);
      await counters.remember(memory, text, text);
    }
    const client = new Redis(server.url);
    onTestFinished(() => client.disconnect());
    const names = await client.keys("*");
    expect(names).toHaveLength(9);
    for (const name of names) {
      expect(await client.pttl(name)).toBeGreaterThan(0);
      const type = await client.type(name);
      const value =
        type === "zset"
          ? await client.zrange(name, "0", "-1")
          : type === "hash"
            ? await client.hgetall(name)
            : await client.get(name);
      for (const text of personal) expect(`${name} ${JSON.stringify(value)}`).not.toContain(text);
      // Nothing that reads as an address, whatever it stands for.
      expect(name).toMatch(/^registry:limits:test:(ip|pace|recent):[\w-]{22}$/);
    }
  });

  test("do not count together under another key", async () => {
    const one = await open();
    const other = await open({ key: randomBytes(32) });
    await one.isBack();
    await other.isBack();
    await one.counters.hit(window, "same");
    expect((await other.counters.hit(window, "same")).count).toBe(1);
  });

  test("fail at once when the server is gone, and go on by themselves when it is back", async () => {
    const { counters, told, isBack } = await open();
    await isBack();
    await counters.hit(window, "gone");
    await server.kill();
    const hit = () => counters.hit(window, "gone");
    await expect.poll(() => hit().catch((error) => error), soon).toBeInstanceOf(CountersAway);
    expect(counters.state().reachable).toBe(false);
    await expect(counters.pace(pace, "gone")).rejects.toThrow(CountersAway);
    await expect(counters.remembers(memory, "gone", "a")).rejects.toThrow(CountersAway);
    await server.start();
    await isBack();
    expect((await hit()).count).toBe(1);
    expect(told).toEqual([true, false, true]);
  });

  test("give up on a server that does not answer, and count on when it does", async () => {
    const { counters, isBack } = await open({ callLimitMs: 100 });
    await isBack();
    await server.freeze();
    onTestFinished(() => server.thaw());
    // Each of them settles though nothing is ever answered.
    const calls = Array.from({ length: 20 }, () => counters.hit(window, "frozen"));
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome.status).toBe("rejected");
    }
    expect(counters.state().reachable).toBe(false);
    await expect(counters.hit(window, "frozen")).rejects.toThrow(CountersAway);
    server.thaw();
    await isBack();
    const count = () =>
      counters.hit(window, "thawed").then(
        (found) => found.count,
        () => 0,
      );
    await expect.poll(count, soon).toBeGreaterThan(0);
  });

  test("are opened and closed while the server is away or does not answer", async () => {
    await server.kill();
    const away = await open();
    expect(away.counters.state()).toMatchObject({ shared: true, reachable: false });
    await server.start();
    await away.isBack();
    await server.freeze();
    onTestFinished(() => server.thaw());
    const frozen = await open();
    expect(frozen.counters.state().reachable).toBe(false);
    await frozen.counters.close();
    await away.counters.close();
  });

  test("forget scripts and counts with the server, and take no harm", async () => {
    const { counters, isBack } = await open();
    await isBack();
    await counters.hit(window, "wiped");
    const client = new Redis(server.url);
    onTestFinished(() => client.disconnect());
    await client.flushall();
    await client.script("FLUSH");
    expect((await counters.hit(window, "wiped")).count).toBe(1);
    expect((await counters.hit(window, "wiped")).count).toBe(2);
  });

  test("fall back to memory or let through, as the rule says, and share again afterwards", async () => {
    const { counters: shared, isBack } = await open();
    const counters = withFallback(shared);
    await isBack();
    await counters.hit(window, "a");
    await counters.pace(pace, "a");
    await server.kill();
    await expect.poll(() => shared.state().reachable, soon).toBe(false);
    const counted = [await counters.hit(window, "a"), await counters.hit(window, "a")];
    expect(counted.map(({ count }) => count)).toEqual([1, 2]);
    const open_ = { ...window, whenAway: "open" } as const;
    expect((await counters.hit(open_, "a")).count).toBe(0);
    expect([await counters.pace(pace, "a"), await counters.pace(pace, "a")]).toEqual([0, 0]);
    await counters.remember(memory, "a", "item");
    expect(await counters.remembers(memory, "a", "item")).toBe(true);
    expect(counters.state()).toEqual({ shared: true, reachable: false, fallbacks: 7 });
    await server.start();
    await isBack();
    expect((await counters.hit(window, "a")).count).toBe(1);
    expect(counters.state().fallbacks).toBe(7);
  });
});
