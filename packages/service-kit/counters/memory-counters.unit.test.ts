import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countersContract } from "./contract-suite.ts";
import { createMemoryCounters } from "./memory-counters.ts";

countersContract("memory", async () => {
  const counters = createMemoryCounters();
  return { first: counters, second: counters, dispose: () => counters.close() };
});

describe("a pace", () => {
  it("never lets two calls through that are too close, once the free ones are used", async () => {
    const pace = { name: "p", whenAway: "memory", after: 3, everyMs: 100, resetMs: 1000 } as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(400), { minLength: 5 }), async (gaps) => {
        let now = 0;
        const counters = createMemoryCounters(() => now);
        const passed: number[] = [];
        for (const gap of gaps) {
          now += gap;
          if ((await counters.pace(pace, "a")) === 0) passed.push(now);
        }
        for (const [index, at] of passed.entries()) {
          if (index < pace.after) continue;
          expect(at - (passed[index - 1] as number)).toBeGreaterThanOrEqual(pace.everyMs);
        }
      }),
    );
  });
});

describe("counters in memory", () => {
  it("keep those that were used last, when there are too many keys", async () => {
    const counters = createMemoryCounters();
    const window = { name: "w", whenAway: "memory", max: 5, windowMs: 3_600_000 } as const;
    await counters.hit(window, "idle");
    await counters.hit(window, "busy");
    for (let n = 0; n < 49_998; n += 1) await counters.hit(window, `other-${n}`);
    expect((await counters.hit(window, "busy")).count).toBe(2);
    await counters.hit(window, "one-too-many");
    expect((await counters.hit(window, "busy")).count).toBe(3);
    expect((await counters.hit(window, "idle")).count).toBe(1);
  });
});
