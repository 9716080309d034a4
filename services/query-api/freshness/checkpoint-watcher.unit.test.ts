import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Checkpoint, CheckpointWatcher } from "./read-your-writes.ts";

const EPOCH = "0e0c4f00-0000-4000-8000-000000000001";
const OTHER = "0e0c4f00-0000-4000-8000-000000000002";
const at = (n: number) => String(n).padStart(20, "0");
const target = (n: number, epoch = EPOCH) => ({ epoch, position: at(n) });
const checkpoint = (processor: string, n: number, epoch: string | null = EPOCH): Checkpoint => ({
  processor,
  epoch,
  position: at(n),
});

let table: Checkpoint[];
let errors: unknown[];
function watch(options: { maxWaiters?: number } = {}) {
  return new CheckpointWatcher({
    databaseUrl: "postgres://unused.invalid/",
    readCheckpoints: async () => {
      if (errors.length > 0) throw errors[0];
      return table;
    },
    onError: () => undefined,
    ...options,
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  table = [];
  errors = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe("waiting for a position", () => {
  it("ends as soon as every requested processor has reached it", async () => {
    const watcher = watch();
    const reached = vi.fn();
    const waiting = watcher.reach(["reports", "offenders"], target(7)).then(reached);
    watcher.note(checkpoint("reports", 7));
    watcher.note(checkpoint("audit", 9));
    watcher.note(checkpoint("offenders", 6));
    await vi.advanceTimersByTimeAsync(10);
    expect(reached).not.toHaveBeenCalled();
    watcher.note(checkpoint("offenders", 8));
    await waiting;
    expect(reached).toHaveBeenCalledWith(true);
    expect(watcher.waiting).toBe(0);
  });

  it("does not wait for a position already reached", async () => {
    const watcher = watch();
    watcher.note(checkpoint("reports", 7));
    expect(await watcher.reach(["reports"], target(7))).toBe(true);
  });

  it("ends after two seconds at most", async () => {
    const watcher = watch();
    const reached = vi.fn();
    void watcher.reach(["reports"], target(7)).then(reached);
    await vi.advanceTimersByTimeAsync(1999);
    expect(reached).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(reached).toHaveBeenCalledWith(false);
  });

  it("polls the checkpoints when no notification comes", async () => {
    const watcher = watch();
    const waiting = watcher.reach(["reports"], target(7));
    errors = [new Error("the database is away")];
    await vi.advanceTimersByTimeAsync(300);
    errors = [];
    table = [checkpoint("reports", 7)];
    await vi.advanceTimersByTimeAsync(300);
    expect(await waiting).toBe(true);
  });

  it("is limited to a maximum number of callers", async () => {
    const watcher = watch({ maxWaiters: 2 });
    const first = [watcher.reach(["reports"], target(7)), watcher.reach(["reports"], target(8))];
    expect(await watcher.reach(["reports"], target(7))).toBe(false);
    watcher.note(checkpoint("reports", 8));
    expect(await Promise.all(first)).toEqual([true, true]);
  });

  it("is skipped while the lag is known to be longer", async () => {
    const watcher = watch();
    const first = watcher.reach(["reports"], target(7));
    await vi.advanceTimersByTimeAsync(2000);
    expect(await first).toBe(false);
    const now = Date.now();
    expect(await watcher.reach(["reports"], target(8))).toBe(false);
    expect(Date.now()).toBe(now);
    const earlier = watcher.reach(["reports"], target(6));
    watcher.note(checkpoint("reports", 7));
    expect(await earlier).toBe(true);
    const later = watcher.reach(["reports"], target(8));
    expect(watcher.waiting).toBe(1);
    watcher.note(checkpoint("reports", 8));
    expect(await later).toBe(true);
  });

  it("is skipped for a position of another epoch", async () => {
    const watcher = watch();
    watcher.note(checkpoint("reports", 9));
    expect(await watcher.reach(["reports"], target(7, OTHER))).toBe(false);
    const waiting = watcher.reach(["reports"], target(10));
    watcher.note(checkpoint("reports", 12, OTHER));
    expect(await waiting).toBe(false);
  });

  it("continues for a processor that has seen no event yet", async () => {
    const watcher = watch();
    watcher.note(checkpoint("reports", 0, null));
    const waiting = watcher.reach(["reports"], target(1));
    watcher.note(checkpoint("reports", 1));
    expect(await waiting).toBe(true);
  });

  it("ends when the service stops", async () => {
    const watcher = watch();
    const waiting = watcher.reach(["reports"], target(7));
    await watcher.stop();
    expect(await waiting).toBe(false);
    expect(await watcher.reach(["reports"], target(7))).toBe(false);
  });
});
