import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { NoAnswer } from "./failures.ts";
import { type EventSource, takeEvents } from "./log-reader.ts";

const HOUR = 3_600_000;

class FakeSource extends EventEmitter {
  cancelled = false;
  async cancel(): Promise<void> {
    this.cancelled = true;
  }
  event(id: string): void {
    this.emit("data", { event: { id } });
  }
}

function begin(limits: { timeoutMs?: number; signal?: AbortSignal } = {}, enough = 10) {
  const source = new FakeSource();
  const ids: string[] = [];
  const taking = takeEvents(
    () => source as unknown as EventSource,
    { timeoutMs: HOUR, ...limits },
    ({ id }) => {
      if (id === "broken") throw new Error("an event that cannot be read");
      ids.push(id);
      return ids.length < enough;
    },
  );
  taking.catch(() => undefined);
  return { source, ids, taking };
}

describe("a streamed read", () => {
  it("reads events to the end", async () => {
    const { source, ids, taking } = begin();
    source.event("a");
    source.event("b");
    source.emit("end");
    source.emit("close");
    expect(await taking).toBe(true);
    expect(ids).toEqual(["a", "b"]);
    expect(source.cancelled).toBe(false);
  });

  it("is canceled when the reader has enough", async () => {
    const { source, ids, taking } = begin({}, 2);
    for (const id of ["a", "b", "c"]) source.event(id);
    expect(await taking).toBe(false);
    expect(ids).toEqual(["a", "b"]);
    expect(source.cancelled).toBe(true);
  });

  it("that stays silent is aborted", async () => {
    const { source, taking } = begin({ timeoutMs: 1 });
    await expect(taking).rejects.toThrow(NoAnswer);
    expect(source.cancelled).toBe(true);
  });

  it("that goes silent halfway is aborted", async () => {
    const { source, taking } = begin({ timeoutMs: 1 });
    source.event("a");
    await expect(taking).rejects.toThrow(NoAnswer);
  });

  it("fails with its first error, and ignores later ones", async () => {
    const { source, taking } = begin();
    source.emit("error", new Error("14 UNAVAILABLE"));
    await expect(taking).rejects.toThrow("14 UNAVAILABLE");
    expect(() => source.emit("error", new Error("again"))).not.toThrow();
  });

  it("that is closed early fails", async () => {
    const { source, taking } = begin();
    source.event("a");
    source.emit("close");
    await expect(taking).rejects.toThrow("before its end");
  });

  it("fails with what the consumer throws", async () => {
    const { source, taking } = begin();
    source.event("broken");
    await expect(taking).rejects.toThrow("cannot be read");
    expect(source.cancelled).toBe(true);
  });

  it("ends with the reason of the signal, and never starts after it", async () => {
    const stop = new AbortController();
    const { source, taking } = begin({ signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(taking).rejects.toThrow("enough");
    expect(source.cancelled).toBe(true);
    const late = begin({ signal: stop.signal });
    await expect(late.taking).rejects.toThrow("enough");
    expect(late.source.listenerCount("data")).toBe(0);
  });
});
