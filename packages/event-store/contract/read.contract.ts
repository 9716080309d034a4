import { beforeAll, describe, expect, it } from "vitest";
import { type EventStore, type Position, START, type StoredEvent } from "../port.ts";
import type { LogUnderTest, Suite } from "./capabilities.ts";
import { collect, event, events, given, ids, idsOf, newCategory, newStream } from "./fixtures.ts";

/** More events than any adapter fetches at once. */
const MANY = 1_300;

export function readContract<L extends LogUnderTest>(suite: Suite<L>): void {
  let store: EventStore;
  beforeAll(() => {
    store = suite.store();
  });

  describe("reading a stream", () => {
    const stream = newStream();
    const batch = events(5);
    const all = ids(batch);
    beforeAll(async () => {
      await given(store, batch, stream);
    });

    it.each([
      { from: undefined, direction: undefined, expected: [0, 1, 2, 3, 4] },
      { from: 0, direction: "forwards", expected: [0, 1, 2, 3, 4] },
      { from: 3, direction: "forwards", expected: [3, 4] },
      { from: 5, direction: "forwards", expected: [] },
      { from: "end", direction: "forwards", expected: [] },
      { from: undefined, direction: "backwards", expected: [4, 3, 2, 1, 0] },
      { from: "end", direction: "backwards", expected: [4, 3, 2, 1, 0] },
      { from: 2, direction: "backwards", expected: [2, 1, 0] },
      { from: 0, direction: "backwards", expected: [0] },
      { from: 9, direction: "backwards", expected: [4, 3, 2, 1, 0] },
    ] as const)(
      "from $from, $direction, gives $expected",
      async ({ from, direction, expected }) => {
        const options = direction ? { direction } : {};
        const read = await collect(store.readStream(stream, from, options));
        expect(read.map(({ revision }) => revision)).toEqual(expected);
        expect(ids(read)).toEqual(expected.map((revision) => all[revision]));
        const [first] = expected;
        const limited = await collect(store.readStream(stream, from, { ...options, limit: 1 }));
        expect(limited.map(({ revision }) => revision)).toEqual(first === undefined ? [] : [first]);
        expect(await collect(store.readStream(stream, from, { ...options, limit: 0 }))).toEqual([]);
      },
    );

    it("that does not exist is empty", async () => {
      expect(await idsOf(store, newStream())).toEqual([]);
    });

    it("excludes a stream whose name has the same prefix", async () => {
      const longer = `${stream}-2`;
      await given(store, events(1), longer);
      expect(await idsOf(store, stream)).toEqual(all);
      expect(await idsOf(store, longer)).toHaveLength(1);
    });

    it("of many events returns each once and in order, in both directions", async () => {
      const long = newStream();
      const list = events(MANY);
      for (let n = 0; n < MANY; n += 500)
        await store.append(long, list.slice(n, n + 500), n === 0 ? "no_stream" : n - 1);
      expect(await idsOf(store, long)).toEqual(ids(list));
      const back = await collect(store.readStream(long, "end", { direction: "backwards" }));
      expect(ids(back)).toEqual(ids(list).reverse());
      const limited = await collect(store.readStream(long, 100, { limit: MANY - 200 }));
      expect(ids(limited)).toEqual(ids(list).slice(100, MANY - 100));
    });

    it("that is stopped before the end reads no further", async () => {
      for await (const first of store.readStream(stream)) {
        expect(first.revision).toBe(0);
        break;
      }
    });

    it.each([-1, 0.5, Number.NaN])("from revision %d is refused", async (from) => {
      await expect(collect(store.readStream(stream, from))).rejects.toThrow(RangeError);
      const limited = collect(store.readStream(stream, 0, { limit: from }));
      await expect(limited).rejects.toThrow(RangeError);
    });

    it("ends with the reason of the signal", async () => {
      const stop = new AbortController();
      const reason = new Error("enough");
      const read = (async () => {
        for await (const _ of store.readStream(stream, 0, { signal: stop.signal }))
          stop.abort(reason);
      })();
      await expect(read).rejects.toBe(reason);
    });
  });

  describe("reading the log", () => {
    let mark: Position;
    const streams = [newStream("report"), newStream("user"), newStream("report")] as const;
    let stored: StoredEvent[];
    beforeAll(async () => {
      mark = await store.head();
      const [a, b, c] = streams;
      await store.append(a, events(2), "no_stream");
      await store.append(b, events(1), "no_stream");
      await store.append(c, events(2), "no_stream");
      await store.append(a, events(1), 1);
      stored = await collect(store.readAll(mark));
    });
    const at = (index: number) => (stored[index] as StoredEvent).position;

    it("returns the events in the order of their appends", () => {
      const [a, b, c] = streams;
      expect(stored.map(({ stream, revision }) => [stream, revision])).toEqual([
        [a, 0],
        [a, 1],
        [b, 0],
        [c, 0],
        [c, 1],
        [a, 2],
      ]);
    });

    it("returns positions that sort as text and have one length", () => {
      const positions = stored.map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort());
      expect(positions.every((position) => /^[0-9]{20}$/.test(position))).toBe(true);
      expect(positions.every((position) => position > mark && position > START)).toBe(true);
    });

    it("returns the same events as the streams", async () => {
      for (const stream of streams) {
        const own = stored.filter((item) => item.stream === stream);
        expect(await collect(store.readStream(stream))).toEqual(own);
      }
    });

    it("forwards starts after any position", async () => {
      for (let index = 0; index < stored.length; index += 1)
        expect(await collect(store.readAll(at(index)))).toEqual(stored.slice(index + 1));
      const limited = await collect(store.readAll(at(0), undefined, { limit: 2 }));
      expect(limited).toEqual(stored.slice(1, 3));
    });

    it("backwards starts before any position", async () => {
      const direction = "backwards";
      for (let index = 1; index <= stored.length; index += 1) {
        const before = index === stored.length ? undefined : at(index);
        const read = store.readAll(before, undefined, { direction, limit: index });
        expect(await collect(read)).toEqual(stored.slice(0, index).reverse());
      }
    });

    it("from the start and from the end returns the whole log, in both directions", async () => {
      const forwards = await collect(store.readAll());
      expect(await collect(store.readAll(START))).toEqual(forwards);
      const backwards = await collect(
        store.readAll(undefined, undefined, { direction: "backwards" }),
      );
      expect(backwards.reverse()).toEqual(forwards);
      expect(forwards.slice(-stored.length)).toEqual(stored);
      expect(forwards.at(-1)?.position).toBe(await store.head());
      const none = await collect(store.readAll(START, undefined, { direction: "backwards" }));
      expect(none).toEqual([]);
    });

    it("beyond the head is empty", async () => {
      const beyond = "99999999999999999999";
      expect(await collect(store.readAll(beyond))).toEqual([]);
      const back = store.readAll(beyond, undefined, { direction: "backwards", limit: 1 });
      expect(await collect(back)).toEqual(stored.slice(-1));
    });

    it.each(["", "1", "-0000000000000000001", "0000000000000000000x"])(
      "from %j, which is not a position, is refused",
      async (position) => {
        await expect(collect(store.readAll(position))).rejects.toThrow(RangeError);
      },
    );

    it("of many large events returns each once and in order, in both directions", async () => {
      const start = await store.head();
      const text = "x".repeat(300_000);
      const appended: string[] = [];
      for (let n = 0; n < 40; n += 1) {
        const batch = [event({ text }), event({ text }), ...events(n % 2 === 0 ? 30 : 0)];
        await given(store, batch);
        appended.push(...ids(batch));
      }
      expect(ids(await collect(store.readAll(start)))).toEqual(appended);
      const direction = "backwards";
      const limit = appended.length;
      const back = await collect(store.readAll(undefined, undefined, { direction, limit }));
      expect(ids(back).reverse()).toEqual(appended);
    });

    it("ends with the reason of the signal", async () => {
      const reason = new Error("enough");
      const signal = AbortSignal.abort(reason);
      await expect(collect(store.readAll(mark, undefined, { signal }))).rejects.toBe(reason);
    });
  });

  describe("filters", () => {
    const [apple, berry] = [newCategory(), newCategory()];
    const streams = { a1: `${apple}-1`, a12: `${apple}-12`, b1: `${berry}-1`, bare: apple };
    let mark: Position;
    let everything: StoredEvent[];
    beforeAll(async () => {
      mark = await store.head();
      for (const stream of Object.values(streams))
        await given(
          store,
          [
            event({ n: 1 }, "ThingNoted"),
            event({ n: 2 }, "ThingDropped"),
            event({ n: 3 }, "Thing"),
          ],
          stream,
        );
      everything = await collect(store.readAll(mark));
    });

    it.each([
      { filter: {}, passing: () => true },
      { filter: { streamPrefixes: [`${apple}-`] }, passing: "a1 a12" },
      { filter: { streamPrefixes: [apple] }, passing: "a1 a12 bare" },
      { filter: { streamPrefixes: [`${apple}-1`] }, passing: "a1 a12" },
      { filter: { streamPrefixes: [`${apple}-12`] }, passing: "a12" },
      { filter: { streamPrefixes: [`${apple}-12`, `${berry}-`] }, passing: "a12 b1" },
      { filter: { streamPrefixes: [`${apple}_`] }, passing: "" },
      { filter: { streamPrefixes: ["%"] }, passing: "" },
      { filter: { streamPrefixes: [`${apple}-%`] }, passing: "" },
      { filter: { streamPrefixes: ["\\", "'; --"] }, passing: "" },
      { filter: { streamPrefixes: [] }, passing: "" },
      { filter: { types: [] }, passing: "" },
      { filter: { types: ["ThingDropped"] }, types: ["ThingDropped"] },
      { filter: { types: ["Thing"] }, types: ["Thing"] },
      { filter: { types: ["Thing", "ThingNoted"] }, types: ["Thing", "ThingNoted"] },
      { filter: { types: ["thing", "Thing%"] }, types: [] },
      {
        filter: { streamPrefixes: [`${apple}-`], types: ["ThingDropped"] },
        passing: "a1 a12",
        types: ["ThingDropped"],
      },
    ])("of $filter select exactly these events", async ({ filter, passing, types }) => {
      const names = (typeof passing === "string" ? passing.split(" ") : Object.keys(streams)).map(
        (name) => streams[name as keyof typeof streams],
      );
      const expected = everything.filter(
        ({ stream, type }) => names.includes(stream) && (types?.includes(type) ?? true),
      );
      expect(await collect(store.readAll(mark, filter))).toEqual(expected);
      const limited = await collect(store.readAll(mark, filter, { limit: 2 }));
      expect(limited).toEqual(expected.slice(0, 2));
      const [first] = everything as [StoredEvent];
      const back = [];
      const direction = "backwards";
      for await (const item of store.readAll(undefined, filter, { direction })) {
        if (item.position < first.position) break;
        back.push(item);
      }
      expect(back.reverse()).toEqual(expected);
    });
  });
}
