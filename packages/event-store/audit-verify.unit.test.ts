import { beforeEach, describe, expect, it, vi } from "vitest";
import { verifyLog } from "./audit-verify.ts";
import { chainEvents, GENESIS_HASH } from "./batch.ts";
import { collect, draft } from "./contract/fixtures.ts";
import { type EventStore, formatPosition, START, type StoredEvent } from "./port.ts";
import { createMemoryEventStore } from "./testing/memory-event-store.ts";

describe.each([
  ["all streams in memory", {}],
  ["one stream in memory", { maxTips: 1 }],
])("verifyLog with %s", (_, options) => {
  let store: EventStore;
  let log: StoredEvent[];

  /** Two streams whose events alternate. */
  beforeEach(async () => {
    store = createMemoryEventStore();
    const tips = { "report-1": GENESIS_HASH, "report-2": GENESIS_HASH };
    for (let revision = 0; revision < 3; revision += 1)
      for (const stream of ["report-1", "report-2"] as const) {
        const batch = chainEvents(stream, revision, tips[stream], [draft({ revision })]);
        tips[stream] = batch[0]?.metadata.hash as string;
        await store.append(stream, batch, revision === 0 ? "no_stream" : revision - 1);
      }
    log = await collect(store.readAll());
  });

  /** A store that returns these events, as if someone with access to it had changed them. */
  function tampered(events: readonly StoredEvent[]): EventStore {
    return Object.assign(Object.create(store), {
      readAll: async function* () {
        yield* events;
      },
      readStream: async function* (stream: string, from: number, { limit }: { limit: number }) {
        const there = events.filter((event) => event.stream === stream && event.revision >= from);
        yield* there.sort((a, b) => a.revision - b.revision).slice(0, limit);
      },
    });
  }
  const verify = (of: EventStore, more = {}) => verifyLog(of, { ...options, ...more });
  const at = (index: number) => log[index] as StoredEvent;

  it("counts events and streams of an intact log", async () => {
    const result = await verify(store);
    expect(result).toEqual({
      events: 6,
      streams: 2,
      position: at(5).position,
      seconds: expect.any(Number),
    });
  });

  it("ends early when it is stopped, with what was verified until then", async () => {
    const signal = AbortSignal.abort();
    expect(await verify(store, { signal })).toMatchObject({ events: 0, position: START });
  });

  it("finds nothing in an empty log", async () => {
    const result = await verify(createMemoryEventStore());
    expect(result).toMatchObject({ events: 0, streams: 0, position: START });
    expect(result.fault).toBeUndefined();
  });

  it("names position, stream and revision of the first changed event", async () => {
    const changed = log.map((event, index) =>
      index === 3 || index === 5 ? { ...event, data: { revision: 99 } } : event,
    );
    const { position, stream, revision, id } = at(3);
    expect(await verify(tampered(changed))).toMatchObject({
      fault: { position, stream, revision, id, reason: "wrong_hash" },
      events: 3,
      streams: 2,
      position: at(2).position,
    });
  });

  it("names the first event after a removed one", async () => {
    const store = tampered(log.toSpliced(2, 1));
    expect((await verify(store)).fault).toMatchObject({
      position: at(3).position,
      reason: "missing_position",
    });
    const ascending = Object.assign(store, { positions: "ascending" });
    expect((await verify(ascending)).fault).toMatchObject({
      position: at(4).position,
      reason: "wrong_revision",
    });
  });

  it("names an inserted event", async () => {
    const forged = { ...at(2), id: draft().id, data: { revision: 7 } };
    const result = await verify(tampered(log.toSpliced(2, 0, forged)));
    expect(result.fault).toMatchObject({ id: forged.id, reason: "wrong_hash" });
  });

  it("names an event whose position does not ascend", async () => {
    const result = await verify(tampered(log.with(4, { ...at(4), position: at(3).position })));
    expect(result.fault).toMatchObject({ id: at(4).id, reason: "wrong_position" });
  });

  it("names an event that its stream repeats later", async () => {
    const again = { ...at(0), id: draft().id, position: formatPosition(7n) };
    const result = await verify(tampered([...log, again]));
    expect(result.fault).toMatchObject({ id: again.id, reason: "wrong_revision" });
  });

  it("names an event that is stored before its predecessor", async () => {
    const moved = [at(0), at(1), { ...at(4), position: at(2).position }, at(3)];
    const later = { ...at(2), position: at(4).position };
    const result = await verify(tampered([...moved, later, at(5)]));
    expect(result.fault).toMatchObject({ id: at(4).id, reason: "wrong_revision" });
  });

  it("names the first event after a stream that is missing completely", async () => {
    const left = log.filter(({ stream }) => stream === "report-2");
    expect((await verify(tampered(left))).fault).toMatchObject({
      position: at(1).position,
      reason: "missing_position",
    });
    const ascending = Object.assign(tampered(left), { positions: "ascending" });
    expect((await verify(ascending)).fault).toBeUndefined();
  });

  it("reports progress every 10,000 events", async () => {
    const drafts = Array.from({ length: 1_000 }, () => draft({}));
    let previous = GENESIS_HASH;
    for (let n = 0; n < 11; n += 1) {
      const batch = chainEvents(
        "report-3",
        n * 1_000,
        previous,
        drafts.map(() => draft({})),
      );
      previous = batch.at(-1)?.metadata.hash as string;
      await store.append("report-3", batch, n === 0 ? "no_stream" : n * 1_000 - 1);
    }
    const told: number[] = [];
    const result = await verify(store, {
      onProgress: ({ events }: { events: number }) => told.push(events),
    });
    expect(result.events).toBe(11_006);
    expect(told).toEqual([10_000]);
  }, 30_000);
});

describe("memory of verifyLog", () => {
  it("is bounded: streams beyond the limit are read from the store", async () => {
    const store = createMemoryEventStore();
    const streams = ["report-1", "report-2", "report-3"];
    const last = new Map(streams.map((stream) => [stream, GENESIS_HASH]));
    for (let revision = 0; revision < 4; revision += 1)
      for (const stream of streams) {
        const batch = chainEvents(stream, revision, last.get(stream) as string, [draft()]);
        last.set(stream, batch[0]?.metadata.hash as string);
        await store.append(stream, batch, revision === 0 ? "no_stream" : revision - 1);
      }
    const read = vi.spyOn(store, "readStream");
    expect(await verifyLog(store, { maxTips: 3 })).toMatchObject({ events: 12, streams: 3 });
    expect(read).not.toHaveBeenCalled();
    const bounded = await verifyLog(store, { maxTips: 2 });
    expect(bounded).toMatchObject({ events: 12, streams: 3 });
    expect(bounded.fault).toBeUndefined();
    // The next stream is always the one that was evicted last, so every event from the third stream's first
    // one on is looked up, except that one.
    expect(read).toHaveBeenCalledTimes(9);
  });
});
