import { describe, expect, it } from "vitest";
import type { Waiting } from "./outbox.store.ts";
import { StallWatch } from "./readiness.ts";

const STALL_MS = 40_000;
/** Number of checks, at one every ten seconds. */
const LOOKS = STALL_MS / 10_000;

/** A watch with the state of its outbox and queue. */
function watched() {
  const state = { isAtWork: false, isPaused: false, isAway: false };
  let clock = 0;
  let stalls = 0;
  /** Since when each email is due. */
  let due: number[] = [];
  const watch = new StallWatch({
    outbox: {
      async waiting(at): Promise<Waiting> {
        const untouched = due.filter((since) => at === undefined || since <= Number(at));
        const { isAtWork } = state;
        return { at: String(clock), due: due.length, untouched: untouched.length, isAtWork };
      },
    },
    jobs: {
      async check() {
        if (state.isAway) throw new Error("away");
        return { isPaused: state.isPaused };
      },
    },
    stallMs: STALL_MS,
    onStall: () => {
      stalls += 1;
    },
  });
  return {
    state,
    watch,
    stalls: () => stalls,
    add(count: number) {
      for (let n = 0; n < count; n += 1) due.push(clock);
    },
    /** As if someone sent the email, or failed to. */
    touch: () => due.shift(),
    clear() {
      due = [];
    },
    async look(times = 1, ms = 10_000) {
      for (let n = 0; n < times; n += 1) {
        clock += ms;
        await watch.look(clock);
      }
    },
  };
}

describe("a mail queue", () => {
  it("is stalled once no due email was touched for the whole time limit, and reports it once", async () => {
    const { watch, look, stalls, add } = watched();
    add(3);
    await look(LOOKS);
    expect([watch.isStalled, stalls()]).toEqual([false, 0]);
    await look();
    expect([watch.isStalled, watch.stalledSeconds, stalls()]).toEqual([true, 40, 1]);
    await look(3);
    expect([watch.isStalled, watch.stalledSeconds, stalls()]).toEqual([true, 70, 1]);
  });

  it("is not stalled while its emails move, even if new ones arrive faster", async () => {
    const { watch, look, add, touch } = watched();
    for (let n = 0; n < 10; n += 1) {
      add(5);
      await look(LOOKS - 1);
      touch();
      await look();
      expect(watch.stalledSeconds).toBe(0);
    }
  });

  it("is stalled even if new emails arrive", async () => {
    const { watch, look, add } = watched();
    for (let n = 0; n <= LOOKS; n += 1) {
      add(2);
      await look();
    }
    expect(watch.isStalled).toBe(true);
  });

  type Watched = ReturnType<typeof watched>;
  it.each<[string, (on: Watched) => void]>([
    ["a mail is touched", ({ touch }) => void touch()],
    ["a worker holds one", ({ state }) => Object.assign(state, { isAtWork: true })],
    ["none is due, since all wait for their next try", ({ clear }) => clear()],
    [
      "the queue reports that it is paused",
      ({ state }) => Object.assign(state, { isPaused: true }),
    ],
  ])("has its time limit restarted when %s", async (_why, change) => {
    const all = watched();
    const { watch, look, add, state } = all;
    add(3);
    await look(LOOKS + 1);
    expect(watch.isStalled).toBe(true);
    change(all);
    await look();
    expect(watch.isStalled).toBe(false);
    Object.assign(state, { isAtWork: false, isPaused: false, isAway: false });
    add(1);
    await look(LOOKS - 1);
    expect(watch.isStalled).toBe(false);
    await look(2);
    expect(watch.isStalled).toBe(true);
  });

  it("is not stalled after an outage, nor healthy after one late answer", async () => {
    const { watch, look, add, state } = watched();
    add(3);
    await look(LOOKS);
    state.isAway = true;
    await look(LOOKS);
    state.isAway = false;
    await look(LOOKS);
    expect(watch.isStalled).toBe(false);
    await look();
    expect(watch.isStalled).toBe(true);
    state.isAway = true;
    await look();
    expect(watch.isStalled).toBe(true);
  });

  it("is not blamed for the time that this process was frozen", async () => {
    const { watch, look, add } = watched();
    add(3);
    await look(2);
    await look(1, 3_600_000);
    expect(watch.isStalled).toBe(false);
  });
});
