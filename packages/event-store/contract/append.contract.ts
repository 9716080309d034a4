import { beforeAll, describe, expect, it } from "vitest";
import { type AppendResult, type EventStore, parsePosition, RevisionConflict } from "../port.ts";
import type { LogUnderTest, Suite } from "./capabilities.ts";
import { asStored, collect, event, events, given, ids, idsOf, newStream } from "./fixtures.ts";

export function appendContract<L extends LogUnderTest>(suite: Suite<L>): void {
  let store: EventStore;
  beforeAll(() => {
    store = suite.store();
  });

  describe("append", () => {
    it("stores every field as it was given", async () => {
      const stream = newStream();
      const first = event({
        text: 'naïve 𝄞 👩‍👩‍👧 שלום \u0001 \u007f \u2028 "quoted" \\ back\\slash',
        empty: "",
        yes: true,
        no: false,
        numbers: [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
        nested: { b: [{ a: [[]] }], a: {}, "": "no name", "10": 1, "9": 2, kéy: 3 },
        like_a_number: "1e5",
      });
      const sealed = { key: "account-1", box: "AAECAwQF" };
      const second = { ...event(), metadata: { ...event().metadata, client: sealed } };
      await store.append(stream, [first, second], "no_stream");
      const stored = await collect(store.readStream(stream));
      expect(stored).toEqual(
        asStored(stream, 0, [first, second]).map((item, index) => ({
          ...item,
          position: stored[index]?.position,
        })),
      );
    });

    it("stores the batch as it was at the call", async () => {
      const data = { note: "before" };
      const appending = given(store, [event(data)]);
      data.note = "after";
      const { stream } = await appending;
      const [stored] = await collect(store.readStream(stream));
      expect(stored?.data).toEqual({ note: "before" });
      (stored as { data: object }).data = { note: "after" };
      const [again] = await collect(store.readStream(stream));
      expect(again?.data).toEqual({ note: "before" });
    });

    it("returns the revision and position of the last event", async () => {
      const { stream, ...first } = await given(store, events(3));
      const second = await store.append(stream, events(2), 2);
      const stored = await collect(store.readStream(stream));
      expect(first).toEqual({ revision: 2, position: stored[2]?.position });
      expect(second).toEqual({ revision: 4, position: stored[4]?.position });
      expect(stored.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
      const positions = stored.map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort());
      expect(await store.head()).toBe(second.position);
    });

    it("leaves no gap in positions if the adapter promises that, even with conflicts", async () => {
      if (store.positions === "ascending") return;
      const stream = newStream();
      await Promise.allSettled([
        ...Array.from({ length: 10 }, () => given(store, events(3))),
        ...Array.from({ length: 10 }, () => store.append(stream, events(2), "no_stream")),
      ]);
      const log = await collect(store.readAll());
      expect(log.map(({ position }) => parsePosition(position))).toEqual(
        log.map((_, index) => BigInt(index + 1)),
      );
    });
  });

  describe("expected revision", () => {
    it.each([
      { stored: 0, expected: 0, current: "no_stream" },
      { stored: 0, expected: 7, current: "no_stream" },
      { stored: 2, expected: "no_stream", current: 1 },
      { stored: 2, expected: 0, current: 1 },
      { stored: 2, expected: 2, current: 1 },
    ] as const)("of $expected on $stored events conflicts, and returns $current", async (given) => {
      const stream = newStream();
      if (given.stored > 0) await store.append(stream, events(given.stored), "no_stream");
      const before = await store.head();
      const conflict = await store.append(stream, events(2), given.expected).catch((e) => e);
      expect(conflict).toBeInstanceOf(RevisionConflict);
      expect(conflict).toMatchObject({ stream, current: given.current });
      expect(await idsOf(store, stream)).toHaveLength(given.stored);
      expect(await store.head()).toBe(before);
    });

    it("lets one of two writers win, and gives the other the current revision", async () => {
      for (let round = 0; round < 20; round += 1) {
        const { stream } = await given(store, events(1));
        const batches = [events(2), events(3)];
        const outcomes = await Promise.allSettled(
          batches.map((batch) => store.append(stream, batch, 0)),
        );
        const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
        const loser = outcomes[1 - winner] as PromiseRejectedResult;
        expect(loser.reason).toBeInstanceOf(RevisionConflict);
        const batch = batches[winner] ?? [];
        expect(loser.reason.current).toBe(batch.length);
        expect((await idsOf(store, stream)).slice(1)).toEqual(ids(batch));
      }
    });

    it("that fails for some of several concurrent appends does not affect the others", async () => {
      const taken = await given(store, events(1));
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, n) =>
          store.append(n % 3 === 0 ? taken.stream : newStream(), events(2), "no_stream"),
        ),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(
        Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? "rejected" : "fulfilled")),
      );
      expect(await idsOf(store, taken.stream)).toHaveLength(1);
    });

    it("is checked for each append in turn when several to one stream are batched", async () => {
      const stream = newStream();
      const batches = Array.from({ length: 5 }, () => events(2));
      const results = await Promise.all(
        batches.map((batch, n) => store.append(stream, batch, n === 0 ? "no_stream" : n * 2 - 1)),
      );
      expect(results.map(({ revision }) => revision)).toEqual([1, 3, 5, 7, 9]);
      expect(await idsOf(store, stream)).toEqual(ids(batches.flat()));
    });
  });

  describe("the same batch again", () => {
    async function expectOnce(stream: string, all: readonly string[], head: string) {
      expect(await idsOf(store, stream)).toEqual(all);
      expect(await store.head()).toBe(head);
    }

    it.each([1, 3])("with %i events returns the first answer and stores nothing", async (count) => {
      const batch = events(count);
      const { stream, ...first } = await given(store, batch);
      expect(await store.append(stream, batch, "no_stream")).toEqual(first);
      await expectOnce(stream, ids(batch), first.position);
    });

    it("returns the first answer even after later appends", async () => {
      const early = events(2);
      const middle = events(2);
      const late = events(1);
      const { stream, ...first } = await given(store, early);
      const second = await store.append(stream, middle, 1);
      const third = await store.append(stream, late, 3);
      expect(await store.append(stream, early, "no_stream")).toEqual(first);
      expect(await store.append(stream, middle, 1)).toEqual(second);
      await expectOnce(stream, ids([...early, ...middle, ...late]), third.position);
    });

    it("sent many times at once is stored once", async () => {
      const stream = newStream();
      const batch = events(3);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => store.append(stream, batch, "no_stream")),
      );
      const [first] = answers as [AppendResult];
      expect(answers).toEqual(answers.map(() => first));
      await expectOnce(stream, ids(batch), first.position);
    });
  });
}
