import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { evidenceAdded } from "#test-kit/report-events.ts";
import { makeCheck } from "#vault/keys/master-ring.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { type BackupContent, sourceOf } from "../source.ts";
import type { Step } from "./faulty-place.ts";
import type { TestRegistry } from "./history.ts";

/** Creates a registry without services: a log, keys, files, and versions of its master key. */
export async function memoryRegistry(): Promise<TestRegistry> {
  const [store, keys] = [createMemoryEventStore(), createMemoryKeyStore()];
  const writer = new EventWriter(store, keys);
  await writer.startLog();
  const files = new Map<string, Buffer>();
  const masters = [randomBytes(32)];
  const content = (name: string, step: Step): BackupContent => ({
    tables: [{ name, columns: ["text"] }],
    migrations: {},
    async *entries() {
      await step();
      const text = Buffer.from(`${name} under ${masters.length}\n`);
      yield { name: `table/${name}/000000001`, size: text.length, content: [text], items: 1 };
    },
  });
  return {
    masterKeys: () => masters.toReversed(),
    async rotateKey() {
      masters.push(randomBytes(32));
    },
    async grow() {
      const [report, file] = [randomUUID(), randomUUID()];
      await keys.ensure([{ subject: subjects.file(file) }]);
      await writer.append(streams.report(report), [evidenceAdded(file)]);
      files.set(file, randomBytes(40));
    },
    async source({ masterKeys, hasFiles, step }) {
      const source = await sourceOf({
        version: "test",
        ledger: undefined,
        masterKeys,
        database: content("command.account", step),
        store,
        end: await store.head(),
        files: {
          async *list() {
            if (!hasFiles) return;
            for (const [id, { length: bytes }] of files) {
              await step();
              yield { id, bytes, storedAt: new Date() };
            }
          },
          get: async (id) => Readable.from([files.get(id)]),
        },
        keys: content("keys.subject_key", step),
        masterVersions: masters.map((key, index) => ({
          version: index + 1,
          check: makeCheck(key, index + 1),
          current: index === masters.length - 1,
          used: index === masters.length - 1,
        })),
        keyStates: keys,
      });
      return { ...source, [Symbol.asyncDispose]: async () => undefined };
    },
  };
}
