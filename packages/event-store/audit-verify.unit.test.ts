import { beforeEach, describe, expect, it } from "vitest";
import { verifyLog } from "./audit-verify.ts";
import { chainEvents, GENESIS_HASH } from "./chain.ts";
import { collect, draft } from "./contract/fixtures.ts";
import { createMemoryEventStore } from "./memory/memory-event-store.ts";
import { type EventStore, START, type StoredEvent } from "./port.ts";

describe("verifyLog", () => {
  let store: EventStore;
  let log: StoredEvent[];

  /** Two streams whose events take turns. */
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

  /** A store that gives the events as somebody who has power over it left them. */
  function tampered(events: readonly StoredEvent[]): EventStore {
    return Object.assign(Object.create(store), {
      readAll: async function* () {
        yield* events;
      },
    });
  }
  const at = (index: number) => log[index] as StoredEvent;

  it("counts events and streams of a log that fits", async () => {
    const result = await verifyLog(store);
    expect(result).toEqual({
      events: 6,
      streams: 2,
      position: at(5).position,
      seconds: expect.any(Number),
    });
  });

  it("finds nothing in an empty log", async () => {
    const result = await verifyLog(createMemoryEventStore());
    expect(result).toMatchObject({ events: 0, streams: 0, position: START });
    expect(result.fault).toBeUndefined();
  });

  it("names position, stream and revision of the first event that was changed", async () => {
    const changed = log.map((event, index) =>
      index === 3 || index === 5 ? { ...event, data: { revision: 99 } } : event,
    );
    const { position, stream, revision, id } = at(3);
    expect(await verifyLog(tampered(changed))).toMatchObject({
      fault: { position, stream, revision, id, reason: "wrong_hash" },
      events: 3,
      streams: 2,
      position: at(2).position,
    });
  });

  it("names the first event after one that was taken out", async () => {
    const result = await verifyLog(tampered(log.toSpliced(2, 1)));
    expect(result.fault).toMatchObject({ position: at(4).position, reason: "wrong_revision" });
  });

  it("names an event that was put in between", async () => {
    const forged = { ...at(2), id: draft().id, data: { revision: 7 } };
    const result = await verifyLog(tampered(log.toSpliced(2, 0, forged)));
    expect(result.fault).toMatchObject({ id: forged.id, reason: "wrong_hash" });
  });

  it("names an event whose position does not ascend", async () => {
    const result = await verifyLog(tampered(log.with(4, { ...at(4), position: at(3).position })));
    expect(result.fault).toMatchObject({ id: at(4).id, reason: "wrong_position" });
  });

  it("tells how far it is after 10,000 events", async () => {
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
    const result = await verifyLog(store, ({ events }) => told.push(events));
    expect(result.events).toBe(11_006);
    expect(told).toEqual([10_000]);
  }, 30_000);
});
