import { beforeAll, describe, expect, it } from "vitest";
import { MAX_APPEND_BYTES } from "../batch.ts";
import { type EventStore, type EventToAppend, InvalidBatch } from "../port.ts";
import type { LogUnderTest, Suite } from "./capabilities.ts";
import { batchOfBytes, collect, event, events, given, ids, idsOf, newStream } from "./fixtures.ts";

/** A value that no message may repeat. */
const SECRET = "Quentin-Tarnow-1963";

function nested(depth: number): unknown {
  return depth === 0 ? SECRET : { inner: nested(depth - 1) };
}

export function refusalContract<L extends LogUnderTest>(suite: Suite<L>): void {
  let store: EventStore;
  beforeAll(() => {
    store = suite.store();
  });

  async function expectRefused(
    stream: string,
    batch: readonly EventToAppend[],
    expected: number | "no_stream" = "no_stream",
  ): Promise<void> {
    const before = await store.head();
    const stored = await idsOf(store, stream);
    const refusal = await store.append(stream, batch, expected).catch((error) => error);
    expect(refusal).toBeInstanceOf(InvalidBatch);
    expect(refusal.message).not.toContain(SECRET);
    expect(await store.head()).toBe(before);
    expect(await idsOf(store, stream)).toEqual(stored);
  }

  describe("a batch that is partly stored", () => {
    it("stores nothing when it is a prefix of a stored one", async () => {
      const batch = events(3);
      const { stream, position } = await given(store, batch);
      const answer = await store.append(stream, batch.slice(0, 2), "no_stream");
      expect(answer.revision).toBe(1);
      expect(await idsOf(store, stream)).toEqual(ids(batch));
      expect(await store.head()).toBe(position);
    });

    it("is refused when the rest of it is new", async () => {
      const batch = events(3);
      const { stream } = await given(store, batch);
      await expectRefused(stream, [...batch, event()]);
      await expectRefused(stream, [batch[2] as EventToAppend, event()], 1);
      await expectRefused(stream, [batch[2] as EventToAppend, event()], 2);
      await expectRefused(stream, [event(), batch[0] as EventToAppend], 2);
    });

    it("is refused when it is in another order or at another revision", async () => {
      const batch = events(3);
      const { stream } = await given(store, batch);
      await expectRefused(stream, batch.toReversed());
      await expectRefused(stream, [batch[0] as EventToAppend, batch[2] as EventToAppend]);
      await expectRefused(stream, batch, 2);
      await expectRefused(stream, batch.slice(1), "no_stream");
    });
  });

  describe("an invalid batch is refused, and none of it is stored", () => {
    const good = event();
    const withData = (data: unknown) => [event(), { ...event(), data } as EventToAppend];
    const withMetadata = (more: object) =>
      [{ ...event(), metadata: { ...good.metadata, ...more } }] as EventToAppend[];
    const cases: Record<string, readonly EventToAppend[]> = {
      "no events": [],
      "an id that is no UUID": [{ ...good, id: SECRET }],
      "an id in upper case": [{ ...good, id: good.id.toUpperCase() }],
      "an id of another version": [{ ...good, id: "00000000-0000-0000-0000-000000000001" }],
      "an id twice": [good, event(), good],
      "a type without a name": [{ ...good, type: "" }],
      "a type that is no name": [{ ...good, type: `thing ${SECRET}` }],
      "no data": withData(undefined),
      "data that is a text": withData(SECRET),
      null: withData({ name: SECRET, city: null }),
      "a key __proto__": withData(JSON.parse(`{"__proto__": {"name": "${SECRET}"}}`)),
      "data that is nested without end": withData(nested(2000)),
      "no hash": withMetadata({ hash: undefined }),
      "an invalid hash": withMetadata({ hash: SECRET }),
      "null in the metadata": withMetadata({ client: null }),
    };
    it.each(Object.keys(cases))("%s", async (name) => {
      await expectRefused(newStream(), cases[name] ?? []);
    });

    it("a cycle", async () => {
      const data: Record<string, unknown> = { name: SECRET };
      data.self = data;
      await expectRefused(newStream(), withData(data));
    });

    it("names the path of the problem", async () => {
      const batch = withData({ charges: [{ amount: 1 }, { amount: 0.5 }] });
      await expect(store.append(newStream(), batch, "no_stream")).rejects.toThrow(
        "events[1].data.charges[1].amount",
      );
    });

    it.each([
      "",
      "Report-1",
      "report_1",
      "report-",
      "-1",
      "report-1/2",
      "report-ü",
      `report-${"1".repeat(94)}`,
    ])("a stream called %j", async (stream) => {
      const append = store.append(stream, [event()], "no_stream");
      await expect(append).rejects.toThrow(InvalidBatch);
    });

    it.each([-1, 0.5, Number.NaN, 2 ** 31])("an expected revision of %d", async (expected) => {
      const append = store.append(newStream(), [event()], expected);
      await expect(append).rejects.toThrow(InvalidBatch);
    });

    it("without affecting concurrent appends", async () => {
      const stream = newStream();
      const bad = store.append(stream, withData({ amount: null }), "no_stream");
      const [outcome] = await Promise.allSettled([
        bad,
        store.append(stream, events(2), "no_stream"),
      ]);
      expect(outcome?.status).toBe("rejected");
      expect(await idsOf(store, stream)).toHaveLength(2);
    });
  });

  describe("size", () => {
    it("of 1 MiB is stored and read back", async () => {
      const [big] = batchOfBytes(MAX_APPEND_BYTES) as [EventToAppend];
      const { stream } = await given(store, [big]);
      const [stored] = await collect(store.readStream(stream));
      expect(stored?.data.text === big.data.text).toBe(true);
    });

    it("of 1 MiB in many events is stored and read back", async () => {
      const room = MAX_APPEND_BYTES - Buffer.byteLength(JSON.stringify(events(999))) - 1;
      const batch = [...events(999), ...batchOfBytes(room + 2).map((item) => item)];
      expect(Buffer.byteLength(JSON.stringify(batch))).toBe(MAX_APPEND_BYTES);
      const { stream } = await given(store, batch);
      expect(await idsOf(store, stream)).toEqual(ids(batch));
    });

    it("of one byte more is refused", async () => {
      await expectRefused(newStream(), batchOfBytes(MAX_APPEND_BYTES + 1));
    });
  });
}
