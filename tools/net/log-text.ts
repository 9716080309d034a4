import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import pino from "pino";
import { stringify } from "yaml";
import type { StoredEvent } from "#event-store/port.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { databaseName } from "#local-servers/postgres/open.ts";
import { readPostmaster, serverUrl } from "#local-servers/postgres/server.ts";
import { parseMasterKey } from "#vault/keys/master-ring.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { IDS, withPlaceholders } from "./placeholders.ts";

/** Every event of a running registry's log with its sealed parts opened, stream by stream. */
export async function logAsText(dataDir: string): Promise<string> {
  const { cluster, databasePassword, masterKey } = dataPaths(dataDir);
  const { port } = await readPostmaster(cluster);
  const password = (await readFile(databasePassword, "utf8")).trim();
  const url = serverUrl(port as number, password, databaseName);
  const masterKeys = [parseMasterKey((await readFile(masterKey, "utf8")).trim())];
  const stores = { keysUrl: url, eventStoreUrl: url, masterKeys };
  const { keys, store } = await openKeysAndLog(
    stores,
    "net",
    { keys: 1, log: 1 },
    { log: pino({ level: "silent" }) },
  );
  try {
    // What processes append by themselves comes a moment later.
    for (let head = ""; head !== (await store.head()); await setTimeout(2000))
      head = await store.head();
    const streams = new Map<string, string[]>();
    for await (const event of store.readAll()) {
      const found = await keys.get(registryCodec.subjectsOf([event]));
      const { data } = registryCodec.openEvent(event, found);
      const lines = streams.get(event.stream) ?? [];
      streams.set(event.stream, [...lines, eventAsText(event, data)]);
    }
    return withNames(streams);
  } finally {
    await store.close();
    await keys.close();
  }
}

function eventAsText({ type, revision, metadata }: StoredEvent, data: object): string {
  const { schemaVersion, command, actor, origin, client, bodyMac } = metadata;
  const from = [actor.role, origin, ...(client ? ["client"] : []), ...(bodyMac ? ["mac"] : [])];
  const head = `${revision} ${type} ${schemaVersion}: ${command} (${from.join(", ")})`;
  const text = stringify({ by: actor.id, ...data }, { sortMapEntries: true, lineWidth: 0 });
  return `${head}\n${text.replaceAll(/^/gm, "  ").trimEnd()}\n`;
}

/** The streams with names in place of their ids, here and wherever they are named. */
function withNames(streams: ReadonlyMap<string, readonly string[]>): string {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  for (const stream of streams.keys()) {
    const [kind = "", id] = stream.split(/-(.+)/s);
    if (!id) continue;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(id, `<${kind} ${count}>`);
  }
  const sections = [...streams].map(([stream, events]) => {
    // Other ids are counted in each stream by itself, so that one more changes no other stream.
    const others = new Map<string, string>();
    const named = [`# ${stream}`, ...events].join("\n").replaceAll(IDS, (id) => {
      const name = names.get(id) ?? others.get(id) ?? `<id ${others.size + 1}>`;
      if (!names.has(id)) others.set(id, name);
      return name;
    });
    return withPlaceholders(named);
  });
  return sections.join("\n");
}
