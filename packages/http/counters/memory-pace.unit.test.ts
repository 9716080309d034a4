import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryPace, MAX_KEYS } from "./counters.ts";
import { paceContract } from "./pace-contract.ts";

paceContract("memory", async () => {
  const keepPace = createMemoryPace();
  return { first: keepPace, second: keepPace, dispose: async () => undefined };
});

describe("a pace", () => {
  it("never allows two calls too close together once the free calls are used up", async () => {
    const pace = { after: 3, everyMs: 100, resetMs: 1000 } as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(400), { minLength: 5 }), async (gaps) => {
        let now = 0;
        const keepPace = createMemoryPace(() => now);
        const passed: number[] = [];
        for (const gap of gaps) {
          now += gap;
          if ((await keepPace(pace, "a")) === 0) passed.push(now);
        }
        for (const [index, at] of passed.entries()) {
          if (index < pace.after) continue;
          expect(at - (passed[index - 1] as number)).toBeGreaterThanOrEqual(pace.everyMs);
        }
      }),
    );
  });
});

describe("paces in memory", () => {
  it("evict the least recently used keys when there are too many", async () => {
    const keepPace = createMemoryPace();
    const pace = { after: 2, everyMs: 3_600_000, resetMs: 3_600_000 } as const;
    await keepPace(pace, "idle");
    await keepPace(pace, "busy");
    for (let n = 0; n < MAX_KEYS - 2; n += 1) await keepPace(pace, `other-${n}`);
    expect(await keepPace(pace, "busy")).toBe(0);
    await keepPace(pace, "one-too-many");
    expect(await keepPace(pace, "busy")).toBeGreaterThan(0);
    // The key was evicted, so two calls are free again.
    expect([await keepPace(pace, "idle"), await keepPace(pace, "idle")]).toEqual([0, 0]);
  });
});
