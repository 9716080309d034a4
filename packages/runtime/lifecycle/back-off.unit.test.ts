import { expect, it } from "vitest";
import { BackOff } from "./back-off.ts";

it("pauses for half to all of a doubling time, up to a limit, and counts the attempts", () => {
  const backOff = new BackOff({ minMs: 100, maxMs: 5_000 });
  const bounds = [100, 200, 400, 800, 1_600, 3_200, ...Array.from({ length: 5_000 }, () => 5_000)];
  for (const bound of bounds) {
    const pause = backOff.next();
    expect(pause).toBeGreaterThanOrEqual(bound / 2);
    expect(pause).toBeLessThanOrEqual(bound);
  }
  expect(backOff.attempts).toBe(bounds.length);
  backOff.reset();
  expect(backOff.attempts).toBe(0);
  expect(backOff.next()).toBeLessThanOrEqual(100);
});
