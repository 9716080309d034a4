import { describe, expect, it } from "vitest";
import { chainEvents, GENESIS_HASH } from "../batch.ts";
import { type EventStore, RevisionConflict, type StoredEvent } from "../port.ts";
import type { LogUnderTest, Suite } from "./capabilities.ts";
import { collect, draft, ids, newStream } from "./fixtures.ts";
import { Follower } from "./follower.ts";
import { verifyChain } from "./verify-chain.ts";

const WRITERS = 32;
const STREAMS = 200;
const APPENDS_PER_WRITER = 60;

export function concurrencyContract<L extends LogUnderTest>(suite: Suite<L>): void {
  describe("32 writers on 200 streams while subscribers read", () => {
    it("lose nothing, store nothing twice and keep every stream in order", async () => {
      const shared = suite.capabilities.restart === true;
      const opened = shared ? await Promise.all([1, 2, 3].map(() => suite.log().open())) : [];
      const instances = [suite.store(), ...opened];
      const reader = instances.at(-1) as EventStore;
      const mark = await reader.head();
      const streams = Array.from({ length: STREAMS }, () => newStream());
      const followers = instances.map(
        (store) => new Follower(store, mark, undefined, { batchSize: 50 }),
      );

      const acknowledged: string[] = [];
      let conflicts = 0;
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          const store = instances[writer % instances.length] as EventStore;
          // Each writer visits the shared streams in its own order.
          for (let n = 0; n < APPENDS_PER_WRITER; n += 1) {
            const stream = streams[(writer * 7 + n * (writer + 3)) % STREAMS] as string;
            const drafts = Array.from({ length: 1 + (n % 3) }, () => draft({ writer, n }));
            for (;;) {
              const last = await lastOf(store, stream);
              const batch = chainEvents(
                stream,
                last ? last.revision + 1 : 0,
                last?.metadata.hash ?? GENESIS_HASH,
                drafts,
              );
              try {
                await store.append(stream, batch, last?.revision ?? "no_stream");
                acknowledged.push(...ids(batch));
                break;
              } catch (error) {
                if (!(error instanceof RevisionConflict)) throw error;
                conflicts += 1;
              }
            }
          }
        }),
      );

      const head = await reader.head();
      await Promise.all(followers.map((follower) => follower.reached(head)));
      await Promise.all(followers.map((follower) => follower.stop()));
      const log = await collect(reader.readAll(mark));
      expect(ids(log).sort()).toEqual(acknowledged.sort());
      expect(conflicts).toBeGreaterThan(0);
      for (const follower of followers) expect(ids(follower.events)).toEqual(ids(log));
      for (const stream of streams) {
        const own = log.filter((item) => item.stream === stream);
        expect(verifyChain(own)).toBeUndefined();
        expect(ids(await collect(reader.readStream(stream)))).toEqual(ids(own));
      }
      await Promise.all(opened.map((store) => store.close()));
    }, 120_000);
  });
}

async function lastOf(store: EventStore, stream: string): Promise<StoredEvent | undefined> {
  const options = { direction: "backwards", limit: 1 } as const;
  const [last] = await collect(store.readStream(stream, "end", options));
  return last;
}
