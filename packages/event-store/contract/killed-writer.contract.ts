import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect } from "vitest";
import type { StoredEvent } from "../port.ts";
import { itNeeds, type LogUnderTest, type Suite, type WriterProcess } from "./capabilities.ts";
import { collect, events, given, ids, idsOf, newStream } from "./fixtures.ts";
import { Follower } from "./follower.ts";
import { verifyChain } from "./verify-chain.ts";

const ROUNDS = 3;
const ACKNOWLEDGED_BATCHES = 40;

export function killedWriterContract<L extends LogUnderTest>(suite: Suite<L>): void {
  const { unfinishedAppend, writerProcess } = suite.capabilities;

  describe("a writer that has not committed", () => {
    itNeeds(
      unfinishedAppend,
      "leaves nothing behind and blocks no one when killed",
      async (begin) => {
        const store = suite.store();
        const mark = await store.head();
        const follower = new Follower(store, mark);
        const stream = newStream();
        const batch = events(3);
        const unfinished = await begin(suite.log(), stream, batch);
        expect(await idsOf(store, stream)).toEqual([]);
        expect(await store.head()).toBe(mark);

        const other = events(2);
        const appending = given(store, other);
        await Promise.race([unfinished.awaited(), appending]);
        await unfinished.kill();
        const { position } = await appending;
        expect(await idsOf(store, stream)).toEqual([]);

        const again = await store.append(stream, batch, "no_stream");
        expect(again.position > position).toBe(true);
        await follower.reached(again.position);
        await follower.stop();
        expect(ids(follower.events)).toEqual(ids([...other, ...batch]));
      },
    );

    itNeeds(unfinishedAppend, "is never overtaken: a subscriber misses nothing", async (begin) => {
      const store = suite.store();
      const follower = new Follower(store, await store.head());
      const stream = newStream();
      const slow = events(3);
      const unfinished = await begin(suite.log(), stream, slow);
      const fast = events(2);
      const appending = given(store, fast);
      // Either the other append waits, or it was stored first, and then it must also be read first.
      await Promise.race([
        unfinished.awaited(),
        appending.then((r) => follower.reached(r.position)),
      ]);
      await unfinished.commit();
      await appending;
      await follower.reached(await store.head());
      await follower.stop();
      expect(ids(follower.events).sort()).toEqual(ids([...slow, ...fast]).sort());
    });

    itNeeds(
      unfinishedAppend,
      "accepts the same batch from another writer without storing it twice",
      async (begin) => {
        const store = suite.store();
        const stream = newStream();
        const batch = events(2);
        const unfinished = await begin(suite.log(), stream, batch);
        const appending = store.append(stream, batch, "no_stream");
        await Promise.race([unfinished.awaited(), appending]);
        await unfinished.commit();
        expect(await appending).toMatchObject({ revision: 1, position: await store.head() });
        expect(await idsOf(store, stream)).toEqual(ids(batch));
      },
    );
  });

  describe("a process that is killed during appends", () => {
    itNeeds(
      writerProcess,
      "leaves whole batches, everything acknowledged, and a log that can be continued",
      async (describeProcess) => {
        const store = suite.store();
        const mark = await store.head();
        const follower = new Follower(store, mark);
        const acknowledged: string[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          acknowledged.push(...(await runAndKill(describeProcess(suite.log()))));
          await given(store, events(1));
        }
        await follower.reached(await store.head());
        await follower.stop();

        const log = await collect(store.readAll(mark));
        expect(ids(follower.events)).toEqual(ids(log));
        expect(new Set(ids(log)).size).toBe(log.length);
        expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED_BATCHES * 3);
        expect(ids(log)).toEqual(expect.arrayContaining(acknowledged));
        const written = log.filter(({ metadata }) => metadata.hash !== "0".repeat(64));
        for (const own of byStream(written)) {
          expect(own.length % 3).toBe(0);
          expect(verifyChain(own)).toBeUndefined();
        }
      },
      60_000,
    );
  });
}

/** Kills the writer once it has acknowledged enough batches. @returns all ids that it acknowledged. */
async function runAndKill({ module, config }: WriterProcess): Promise<string[]> {
  const script = new URL("./writer-process.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, module.href, config], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const acknowledged: string[] = [];
  let batches = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be cut off in the middle.
    if (line.length !== 3 * 36 + 2) continue;
    acknowledged.push(...line.split(" "));
    batches += 1;
    if (batches === ACKNOWLEDGED_BATCHES) child.kill("SIGKILL");
  }
  const [, signal] = await exited;
  expect(signal).toBe("SIGKILL");
  return acknowledged;
}

function byStream(list: readonly StoredEvent[]): StoredEvent[][] {
  return [...Map.groupBy(list, ({ stream }) => stream).values()];
}
