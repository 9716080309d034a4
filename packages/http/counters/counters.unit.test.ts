import Fastify from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createCounters, MAX_KEYS } from "./counters.ts";

const window = { name: "test:ip", whenUnavailable: "memory", max: 2, windowMs: 3_600_000 } as const;

async function counters() {
  const app = Fastify();
  onTestFinished(() => app.close());
  return createCounters(app);
}

describe("counters in memory", () => {
  it("count keys and rules separately, and return how long to wait", async () => {
    const { hit } = await counters();
    expect([await hit(window, "a"), await hit(window, "a")]).toEqual([0, 0]);
    const wait = await hit(window, "a");
    expect(wait).toBeGreaterThan(3_500_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
    expect(await hit(window, "b")).toBe(0);
    expect(await hit({ ...window, name: "test:other" }, "a")).toBe(0);
  });

  it("report whether a call was counted in the current window, without counting the query", async () => {
    const { hit, wasHit } = await counters();
    expect(await wasHit(window, "a")).toBe(false);
    await hit(window, "a");
    for (let n = 0; n < 5; n += 1) expect(await wasHit(window, "a")).toBe(true);
    expect(await wasHit(window, "b")).toBe(false);
    expect(await hit(window, "a")).toBe(0);
  });

  it("evict the least recently used keys of each rule when there are too many", async () => {
    const { hit } = await counters();
    const other = { ...window, name: "test:other" };
    for (const rule of [window, other]) {
      await hit(rule, "idle");
      await hit(rule, "idle");
      expect(await hit(rule, "idle")).toBeGreaterThan(0);
    }
    await hit(window, "busy");
    for (let n = 0; n < MAX_KEYS - 2; n += 1) await hit(window, `other-${n}`);
    expect(await hit(window, "busy")).toBe(0);
    await hit(window, "one-too-many");
    expect(await hit(window, "busy")).toBeGreaterThan(0);
    expect(await hit(window, "idle")).toBe(0);
    expect(await hit(other, "idle")).toBeGreaterThan(0);
  });

  it("store no address or account in plain text", async () => {
    const { hit, pace } = await counters();
    const personal = "203.0.113.77";
    // Anything that stores a value by key uses a map.
    const set = vi.spyOn(Map.prototype, "set");
    onTestFinished(() => set.mockRestore());
    await hit(window, personal);
    await pace({ ...window, name: "test:pace", after: 1, everyMs: 9, resetMs: 9 }, personal);
    const kept = set.mock.calls;
    set.mockRestore();
    for (const name of ["ip", "pace"]) {
      const shape = new RegExp(`^test:${name}:[\\w-]{22}$`);
      expect(kept.map(([key]) => String(key))).toContainEqual(expect.stringMatching(shape));
    }
    expect(JSON.stringify(kept)).not.toContain(personal);
  });
});
