import { describe, expect } from "vitest";
import { RevisionConflict, StoreUnavailable } from "../port.ts";
import { itNeeds, type LogUnderTest, type Suite } from "./capabilities.ts";
import { collect, events, given, ids, idsOf, newStream } from "./fixtures.ts";
import { Follower } from "./follower.ts";

export function restartContract<L extends LogUnderTest>(suite: Suite<L>): void {
  const { restart } = suite.capabilities;

  describe("after a restart", () => {
    itNeeds(restart, "keeps what was appended, and treats the same batch as a retry", async () => {
      const batch = events(3);
      const before = await suite.log().open();
      const { stream, ...first } = await given(before, batch);
      const mark = await before.head();
      await before.close();

      const after = await suite.log().open();
      expect(await after.append(stream, batch, "no_stream")).toEqual(first);
      await after.append(stream, events(1), 2);
      expect(await after.append(stream, batch, "no_stream")).toEqual(first);
      expect((await idsOf(after, stream)).slice(0, 3)).toEqual(ids(batch));
      await expect(after.append(stream, events(1), 2)).rejects.toThrow(RevisionConflict);
      expect(await collect(after.readAll(mark))).toHaveLength(1);
      await after.close();
    });

    itNeeds(restart, "resumes a subscription where it stopped", async () => {
      const before = await suite.log().open();
      const mark = await before.head();
      const early = events(4);
      await given(before, early);
      const follower = new Follower(before, mark, undefined, { batchSize: 3 });
      await follower.until(() => follower.events.length >= 3);
      const left = { position: follower.batches[0]?.position as string, seen: 3 };
      await follower.stop();
      await before.close();

      const late = events(2);
      await given(suite.store(), late);
      const after = await suite.log().open();
      const resumed = new Follower(after, left.position);
      await resumed.reached(await after.head());
      await resumed.stop();
      expect(ids(resumed.events)).toEqual(ids([...early.slice(left.seen), ...late]));
      await after.close();
    });

    itNeeds(restart, "delivers another instance's appends to a subscription", async () => {
      const other = await suite.log().open();
      const follower = new Follower(other, await other.head());
      await follower.until(() => follower.batches.length > 0);
      const batch = events(2);
      const { position } = await given(suite.store(), batch);
      await follower.reached(position);
      await follower.stop();
      expect(ids(follower.events)).toEqual(ids(batch));
      await other.close();
    });
  });

  describe("closing", () => {
    itNeeds(restart, "finishes appends in flight, and ends subscriptions", async () => {
      const store = await suite.log().open();
      const mark = await store.head();
      const subscription = collect(
        store.subscribeAll(mark, undefined, { signal: new AbortController().signal }),
      );
      const streams = Array.from({ length: 20 }, () => newStream());
      const appends = streams.map((stream) => store.append(stream, events(1), "no_stream"));
      await store.close();
      await Promise.all(appends);
      await subscription;
      for (const stream of streams) expect(await idsOf(suite.store(), stream)).toHaveLength(1);
      const late = store.append(newStream(), events(1), "no_stream");
      await expect(late).rejects.toThrow(StoreUnavailable);
      await expect(collect(store.readAll(mark))).rejects.toThrow(StoreUnavailable);
      await store.close();
    });
  });
}
