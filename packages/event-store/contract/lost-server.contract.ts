import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { chainEvents, GENESIS_HASH } from "../batch.ts";
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  StoreUnavailable,
} from "../port.ts";
import { itNeeds, type LogUnderTest, type LogWithServer, type Suite } from "./capabilities.ts";
import { collect, draft, event, events, given, ids, idsOf, newStream } from "./fixtures.ts";
import { Follower } from "./follower.ts";
import { verifyChain } from "./verify-chain.ts";

export function lostServerContract<L extends LogUnderTest>(suite: Suite<L>): void {
  const { server } = suite.capabilities;
  let log: LogWithServer;
  let store: EventStore;

  describe("a server that goes down and comes back", () => {
    beforeAll(async () => {
      if ("absent" in server) return;
      log = await server();
      store = await log.open();
    });
    afterAll(async () => {
      if ("absent" in server) return;
      await store?.close();
      await log?.dispose();
    });

    const outages = {
      "stops and starts": [() => log.stopServer(), () => log.startServer()],
      "crashes and starts": [() => log.killServer(), () => log.startServer()],
      "is cut off": [async () => log.network.cut(), async () => log.network.restore()],
    } as const;

    for (const [name, [leave, comeBack]] of Object.entries(outages)) {
      itNeeds(
        server,
        `under a subscriber (${name}): it misses and repeats nothing`,
        async () => {
          const mark = await store.head();
          const follower = new Follower(store, mark, undefined, { batchSize: 4 });
          const before = events(6);
          const { stream, position } = await given(store, before);
          await follower.reached(position);

          await leave();
          await unavailable(store);
          const late = new Follower(store, mark, undefined, { batchSize: 4 });
          await comeBack();

          const after = events(6);
          const result = await persist(store, stream, after, 5);
          for (const subscriber of [follower, late]) {
            await subscriber.reached(result.position);
            await subscriber.stop();
            expect(ids(subscriber.events)).toEqual(ids([...before, ...after]));
          }
        },
        60_000,
      );
    }

    itNeeds(
      server,
      "under writers: stores what was acknowledged, once",
      async () => {
        const mark = await store.head();
        const follower = new Follower(store, mark);
        let running = true;
        let written = 0;
        let unknown = 0;
        let progress = Promise.withResolvers<void>();
        const acknowledged: string[] = [];
        const writers = Array.from({ length: 8 }, async () => {
          const stream = newStream();
          let last: EventToAppend | undefined;
          for (let revision = 0; running; revision += 2) {
            const previous = last?.metadata.hash ?? GENESIS_HASH;
            const batch = chainEvents(stream, revision, previous, [draft(), draft()]);
            const answer = await persist(store, stream, batch, revision - 1, () => {
              unknown += 1;
            });
            expect(answer.revision).toBe(revision + 1);
            last = batch[1];
            acknowledged.push(...ids(batch));
            written += 1;
            progress.resolve();
            progress = Promise.withResolvers<void>();
          }
        });
        const more = async (count: number) => {
          const goal = written + count;
          while (written < goal) await progress.promise;
        };
        for (const [leave, comeBack] of [...Object.values(outages), ...Object.values(outages)]) {
          await more(40);
          await leave();
          await comeBack();
        }
        await more(40);
        running = false;
        await Promise.all(writers);

        await follower.reached(await store.head());
        await follower.stop();
        const stored = await collect(store.readAll(mark));
        expect(ids(stored).sort()).toEqual(acknowledged.sort());
        expect(ids(follower.events)).toEqual(ids(stored));
        for (const own of Map.groupBy(stored, ({ stream }) => stream).values())
          expect(verifyChain(own)).toBeUndefined();
        expect(unknown).toBeGreaterThan(0);
      },
      120_000,
    );

    describe("whose answers are lost", () => {
      afterEach(() => log?.network.restore());

      itNeeds(
        server,
        "stores the batch once, when the writer sends it again",
        async () => {
          const stream = newStream();
          const batch = events(2);
          await store.head();
          log.network.loseAnswers();
          const first = store.append(stream, batch, "no_stream");
          await expect(first).rejects.toThrow(StoreUnavailable);
          log.network.restore();
          const answer = await persist(store, stream, batch, -1);
          expect(answer).toMatchObject({ revision: 1, position: await store.head() });
          expect(await idsOf(store, stream)).toEqual(ids(batch));
        },
        60_000,
      );

      itNeeds(
        server,
        "does not keep readers waiting forever",
        async () => {
          await given(store, events(1));
          log.network.loseAnswers();
          await expect(store.head()).rejects.toThrow(StoreUnavailable);
          await expect(collect(store.readAll())).rejects.toThrow(StoreUnavailable);
          await expect(idsOf(store, newStream())).rejects.toThrow(StoreUnavailable);
        },
        60_000,
      );

      itNeeds(
        server,
        "does not lose a subscriber",
        async () => {
          const follower = new Follower(store, await store.head());
          await follower.until(() => follower.batches.length > 0);
          log.network.loseAnswers();
          const stream = newStream();
          const [first, second] = [event(), event()];
          const unanswered = store.append(stream, [first], "no_stream");
          await expect(unanswered).rejects.toThrow(StoreUnavailable);
          log.network.restore();
          await persist(store, stream, [first], -1);
          const { position } = await persist(store, stream, [second], 0);
          await follower.reached(position);
          await follower.stop();
          expect(ids(follower.events)).toEqual(ids([first, second]));
        },
        60_000,
      );
    });
  });
}

/** Waits until the server is down. Parts of a crashed server may answer for a moment. */
async function unavailable(store: EventStore): Promise<void> {
  for (;;) {
    const outcome = await store.head().catch((error: unknown) => error);
    if (outcome instanceof StoreUnavailable) return;
    if (outcome instanceof Error) throw outcome;
  }
}

/** Appends the same batch until the outcome is known, as every caller must. */
async function persist(
  store: EventStore,
  stream: string,
  batch: readonly EventToAppend[],
  last: number,
  onUnknown?: () => void,
): Promise<AppendResult> {
  for (;;) {
    try {
      return await store.append(stream, batch, last < 0 ? "no_stream" : last);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      onUnknown?.();
      // Lets other work run between attempts at a server that refuses immediately.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
