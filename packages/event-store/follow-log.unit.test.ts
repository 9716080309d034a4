import { afterEach, describe, expect, it, vi } from "vitest";
import { collect } from "./contract/fixtures.ts";
import { followLog, type LogSource } from "./follow-log.ts";
import { formatPosition, START, StoreUnavailable, type SubscriptionBatch } from "./port.ts";

/** A source that gives these answers and records what it was asked. */
function scripted(answers: (SubscriptionBatch | Error)[], stop: AbortController) {
  const asked: string[] = [];
  const waited: string[] = [];
  const source: LogSource = {
    async readAfter(position) {
      asked.push(position);
      const answer = answers.shift();
      if (!answer) throw new Error("asked too often");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async waitBeyond(position) {
      waited.push(position);
      if (answers.length === 0) stop.abort();
    },
  };
  return { source, asked, waited };
}

const batch = (position: number, caughtUp: boolean): SubscriptionBatch => ({
  events: [],
  position: formatPosition(String(position)),
  caughtUp,
});
const away = () => new StoreUnavailable("away");
const backOff = { minMs: 0, maxMs: 0 };

afterEach(() => void vi.useRealTimers());

describe("followLog", () => {
  it("reads again from the same position after an outage, and reports the outage once", async () => {
    const stop = new AbortController();
    const answers = [batch(3, false), away(), away(), batch(5, true), away(), batch(6, true)];
    const { source, asked } = scripted(answers, stop);
    const told: string[] = [];
    const log = {
      info: (_: object, message: string) => void told.push(message),
      warn: (_: object, message: string) => void told.push(message),
    };
    const { signal } = stop;
    const batches = await collect(followLog(source, START, { signal, backOff, log }));
    expect(batches.map(({ position }) => Number(position))).toEqual([3, 5, 6]);
    expect(asked.map(Number)).toEqual([0, 3, 3, 3, 5, 5]);
    expect(told).toEqual([
      "the event log is unavailable; the subscription waits for it",
      "the subscription continues",
      "the event log is unavailable; the subscription waits for it",
      "the subscription continues",
    ]);
  });

  it("waits only when it has caught up, and delivers nothing when woken without new events", async () => {
    const stop = new AbortController();
    const answers = [batch(2, false), batch(4, true), batch(4, true), batch(4, true)];
    const { source, waited } = scripted(answers, stop);
    const batches = await collect(followLog(source, START, { signal: stop.signal }));
    expect(batches.map(({ position }) => Number(position))).toEqual([2, 4]);
    expect(waited.map(Number)).toEqual([4, 4, 4]);
  });

  it("combines events in quick succession when paced", async () => {
    // The clock is frozen: on a busy machine the pace could otherwise pass before the pause.
    vi.useFakeTimers({ toFake: ["performance"] });
    const stop = new AbortController();
    let head = 0;
    const asked: number[] = [];
    const source: LogSource = {
      async readAfter(position) {
        asked.push(Number(position));
        return batch(head, true);
      },
      async waitBeyond() {
        if (head === 4) return stop.abort();
        head += 1;
        // More events arrive while the paced read is delayed. Without pacing it would have begun by
        // then.
        if (head === 2) setImmediate(() => (head = 4));
      },
    };
    const paced = followLog(source, START, { signal: stop.signal, paceMs: 20 });
    const seen: number[] = [];
    for await (const { position } of paced) seen.push(Number(position));
    expect(seen).toEqual([0, 1, 4]);
    expect(asked).toEqual([0, 0, 1]);
  });

  it("ends with an error that is not an outage", async () => {
    const stop = new AbortController();
    const { source } = scripted([batch(2, false), new Error("no such table")], stop);
    const following = collect(followLog(source, START, { signal: stop.signal, backOff }));
    await expect(following).rejects.toThrow("no such table");
  });

  it("ends immediately when the signal aborts during a hanging read or a long pause", async () => {
    const stop = new AbortController();
    const hanging: LogSource = {
      readAfter: () => new Promise(() => undefined),
      waitBeyond: async () => undefined,
    };
    const one = collect(followLog(hanging, START, { signal: stop.signal }));
    const failing: LogSource = { ...hanging, readAfter: () => Promise.reject(away()) };
    const hour = { minMs: 3_600_000, maxMs: 3_600_000 };
    const other = collect(followLog(failing, START, { signal: stop.signal, backOff: hour }));
    setImmediate(() => stop.abort());
    expect(await Promise.all([one, other])).toEqual([[], []]);
  });
});
