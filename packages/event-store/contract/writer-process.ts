import { writeSync } from "node:fs";
import { chainEvents, GENESIS_HASH } from "../batch.ts";
import type { EventStore, EventToAppend } from "../port.ts";
import { draft, ids, newStream } from "./fixtures.ts";

/** Appends batches until it is killed, and prints the ids of each. Arguments: module with `openForWriting`, config. */
const [module, config] = process.argv.slice(2) as [string, string];
const { openForWriting } = (await import(module)) as {
  openForWriting(config: string): Promise<EventStore>;
};
const store = await openForWriting(config);

async function write(): Promise<never> {
  const stream = newStream();
  let last: EventToAppend | undefined;
  for (let revision = 0; ; revision += 3) {
    const drafts = [draft(), draft(), draft()];
    const batch = chainEvents(stream, revision, last?.metadata.hash ?? GENESIS_HASH, drafts);
    await store.append(stream, batch, revision === 0 ? "no_stream" : revision - 1);
    last = batch.at(-1);
    writeSync(1, `${ids(batch).join(" ")}\n`);
  }
}

await Promise.all([write(), write(), write(), write()]);
