import { beforeAll, describe, expect, it } from "vitest";
import type { EventStore, Position, SubscriptionBatch } from "../port.ts";
import type { LogUnderTest, Suite } from "./capabilities.ts";
import { collect, event, events, given, ids, newCategory, newStream } from "./fixtures.ts";
import { Follower } from "./follower.ts";

export function subscriptionContract<L extends LogUnderTest>(suite: Suite<L>): void {
  let store: EventStore;
  beforeAll(() => {
    store = suite.store();
  });

  /** Reads the given number of batches, then ends the subscription. */
  async function take(count: number, from: Position): Promise<SubscriptionBatch[]> {
    const stop = new AbortController();
    const batches: SubscriptionBatch[] = [];
    for await (const batch of store.subscribeAll(from, undefined, {
      signal: stop.signal,
      batchSize: 3,
    })) {
      batches.push(batch);
      if (batches.length === count) break;
    }
    return batches;
  }

  describe("a subscription", () => {
    it("catches up, reports it, and continues live", async () => {
      const mark = await store.head();
      const past = events(7);
      const { stream, position } = await given(store, past);
      const follower = new Follower(store, mark, undefined, { batchSize: 3 });
      await follower.until(() => follower.batches.at(-1)?.caughtUp === true);
      expect(ids(follower.events)).toEqual(ids(past));
      const sizes = follower.batches.map((batch) => batch.events.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
      expect(follower.batches.findIndex((batch) => batch.caughtUp)).toBe(sizes.length - 1);
      expect(follower.position).toBe(position);

      const live = [events(1), events(2), events(1)];
      let revision = 6;
      for (const batch of live) {
        const result = await store.append(stream, batch, revision);
        revision = result.revision;
        await follower.reached(result.position);
      }
      await follower.stop();
      expect(ids(follower.events)).toEqual(ids([...past, ...live.flat()]));
      expect(follower.events).toEqual(await collect(store.readAll(mark)));
      expect(follower.batches.at(-1)?.caughtUp).toBe(true);
    });

    it("immediately reports that it has caught up when there is nothing to read", async () => {
      const mark = await store.head();
      expect(await take(1, mark)).toEqual([{ events: [], position: mark, caughtUp: true }]);
    });

    it("never goes back, even from a position beyond the head", async () => {
      const beyond = "00000000009999999999";
      expect(await take(1, beyond)).toEqual([{ events: [], position: beyond, caughtUp: true }]);
    });

    it("resumes after every position without loss or repetition", async () => {
      const mark = await store.head();
      const batch = events(8);
      await given(store, batch);
      const all = await collect(store.readAll(mark));
      for (const [index, { position }] of all.entries()) {
        const follower = new Follower(store, position, undefined, { batchSize: 3 });
        await follower.until(() => follower.batches.at(-1)?.caughtUp === true);
        await follower.stop();
        expect(follower.events).toEqual(all.slice(index + 1));
      }
    });

    it("resumes from the position of the last delivered batch", async () => {
      let position = await store.head();
      const batch = events(10);
      await given(store, batch);
      const seen: string[] = [];
      while (seen.length < batch.length) {
        const [first] = (await take(1, position)) as [SubscriptionBatch];
        seen.push(...ids(first.events));
        position = first.position;
      }
      expect(seen).toEqual(ids(batch));
      expect(position).toBe(await store.head());
    });

    it("returns what the filter selects, and moves its position past what it skips", async () => {
      const mark = await store.head();
      const category = newCategory();
      const filter = { streamPrefixes: [`${category}-`], types: ["ThingNoted"] };
      const follower = new Follower(store, mark, filter);
      const passing = [];
      for (let n = 0; n < 6; n += 1) {
        const batch = [event({ n }), event({ n }, "ThingDropped")];
        passing.push(batch[0]);
        await given(store, batch, newStream(category));
        const { position } = await given(store, events(2));
        await follower.reached(position);
      }
      expect(ids(follower.events)).toEqual(passing.map((item) => item?.id));
      const { position } = follower;
      await follower.stop();
      expect(position).toBe(await store.head());

      const resumed = new Follower(store, position, filter);
      const next = [event()];
      await given(store, next, newStream(category));
      await resumed.until(() => resumed.events.length > 0);
      await resumed.stop();
      expect(ids(resumed.events)).toEqual(ids(next));
    });

    it("ends without an error when the signal aborts while it waits", async () => {
      const follower = new Follower(store, await store.head());
      await follower.until(() => follower.batches.length === 1);
      await follower.stop();
      await given(store, events(1));
      expect(follower.events).toEqual([]);
    });

    it("ends when the signal aborts while the subscriber handles a batch", async () => {
      const mark = await store.head();
      await given(store, events(6));
      const stop = new AbortController();
      const seen: number[] = [];
      const options = { signal: stop.signal, batchSize: 2 };
      for await (const batch of store.subscribeAll(mark, undefined, options)) {
        seen.push(batch.events.length);
        stop.abort();
      }
      expect(seen).toEqual([2]);
    });

    it("returns nothing when the signal is already aborted", async () => {
      const options = { signal: AbortSignal.abort() };
      expect(await collect(store.subscribeAll(await store.head(), undefined, options))).toEqual([]);
    });

    it.each([0, -1, 1.5])("with batches of %d is refused", async (batchSize) => {
      const subscription = store.subscribeAll(await store.head(), undefined, {
        signal: new AbortController().signal,
        batchSize,
      });
      await expect(collect(subscription)).rejects.toThrow(RangeError);
    });

    it("delivers everything to each of many subscribers", async () => {
      const mark = await store.head();
      const followers = Array.from({ length: 12 }, () => new Follower(store, mark));
      const batches = Array.from({ length: 30 }, () => events(2));
      const results = await Promise.all(batches.map((batch) => given(store, batch)));
      const last = results
        .map(({ position }) => position)
        .sort()
        .at(-1) as string;
      await Promise.all(followers.map((follower) => follower.reached(last)));
      const all = await collect(store.readAll(mark));
      expect(all).toHaveLength(60);
      for (const follower of followers) {
        await follower.stop();
        expect(follower.events).toEqual(all);
      }
    });

    it("that is slower than the writers loses nothing, and blocks no one", async () => {
      const mark = await store.head();
      let appended = 0;
      let progress = Promise.withResolvers<void>();
      /** Keeps the subscriber busy with each batch until the writers have appended 50 events. */
      const slowly = async () => {
        const goal = Math.min(appended + 50, 1_000);
        while (appended < goal) await progress.promise;
      };
      const follower = new Follower(store, mark, undefined, { batchSize: 20, onBatch: slowly });
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          const stream = newStream();
          for (let n = 0; n < 25; n += 1) {
            await store.append(stream, events(5), n === 0 ? "no_stream" : n * 5 - 1);
            appended += 5;
            progress.resolve();
            progress = Promise.withResolvers<void>();
          }
        }),
      );
      const behind = follower.events.length;
      await follower.reached(await store.head());
      await follower.stop();
      expect(behind).toBeLessThan(1_000);
      expect(Math.max(...follower.batches.map((batch) => batch.events.length))).toBeLessThanOrEqual(
        20,
      );
      expect(follower.events).toEqual(await collect(store.readAll(mark)));
      expect(new Set(ids(follower.events)).size).toBe(1_000);
    });
  });
}
