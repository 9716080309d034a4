import { describe, expect, it } from "vitest";
import { admit, INITIAL_THROTTLE, type ThrottleState } from "./search-gate.ts";

const START = 1_000_000;

/** Makes searches one after another after confirmation, `gapMs` apart. */
function search(times: number, gapMs: number) {
  let state: ThrottleState = { ...INITIAL_THROTTLE, verified: true };
  let now = START - gapMs;
  const verdicts: string[] = [];
  for (let i = 0; i < times; i++) {
    now += gapMs;
    const step = admit(state, now);
    state = step.state;
    verdicts.push(step.verdict);
  }
  return { state, now, verdicts };
}

describe("the search throttle", () => {
  it("allows up to ten after confirmation, then refuses within six seconds", () => {
    const { state, now, verdicts } = search(11, 100);
    expect(verdicts.slice(0, 10)).toEqual(Array(10).fill("go"));
    expect(verdicts[10]).toBe("refuse");
    expect(admit(state, now + 5_000).verdict).toBe("refuse");
  });

  it("allows a search six seconds after the previous one", () => {
    const { state } = search(10, 100);
    expect(admit(state, state.lastAt + 5_999).verdict).toBe("refuse");
    expect(admit(state, state.lastAt + 6_000).verdict).toBe("go");
  });

  it("doesn't count refused searches, so that waiting helps", () => {
    const { state } = search(15, 100);
    expect(state.count).toBe(10);
    expect(admit(state, state.lastAt + 6_000).verdict).toBe("go");
  });

  it("resets sixty seconds after the last search, and keeps the confirmation", () => {
    const { state } = search(10, 100);
    const later = admit(state, state.lastAt + 60_000);
    expect(later).toEqual({
      verdict: "go",
      state: { count: 1, lastAt: state.lastAt + 60_000, verified: true },
    });
    const sooner = admit(state, state.lastAt + 59_999);
    expect(sooner.state.count).toBe(11);
  });
});
