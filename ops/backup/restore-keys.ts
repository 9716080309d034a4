import { KEYS_SCHEMAS } from "#launcher/migrate/backed-up.ts";
import { BEGIN_RESTORE, END_RESTORE } from "#vault/keys/usable-keys.ts";
import type { Manifest } from "./archive/manifest.ts";
import type { ReadEntry } from "./archive/read-archive.ts";
import { TableRestore } from "./restore-tables.ts";
import { byLines, linesOf, partOfTable, tableOfPart } from "./tables.ts";

const SUBJECT_KEYS = "keys.subject_key";

/** Stores that are marked as half restored. */
export interface MarkedStores {
  /** Everything is there: takes the mark away. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Marks the stores, then restores the keys: those that were destroyed since never come into them, and
 * none of them can be made again.
 * @param erasures time of each erasure by its subject.
 */
export async function restoreKeys(
  url: string,
  manifest: Manifest,
  erasures: ReadonlyMap<string, string>,
  readAll: (use: (entry: ReadEntry) => Promise<void>) => Promise<void>,
): Promise<MarkedStores> {
  const tables = await TableRestore.open(url, KEYS_SCHEMAS, manifest);
  try {
    await tables.run(BEGIN_RESTORE);
    const columns = manifest.parts[partOfTable(SUBJECT_KEYS)]?.columns ?? [];
    const left = new Map(erasures);
    await readAll(async ({ part, content }) => {
      const table = tableOfPart(part) ?? part;
      const rows = table === SUBJECT_KEYS ? withoutErased(content, columns, left) : content;
      await tables.add(table, rows);
    });
    await tables.finish();
    await tables.run(
      `insert into keys.subject_key (subject, destroyed_at)
       select subject, at::timestamptz from json_to_recordset($1) as n (subject text, at text)`,
      [JSON.stringify([...left].map(([subject, at]) => ({ subject, at })))],
    );
    return { finish: () => tables.run(END_RESTORE), close: () => tables.close() };
  } catch (error) {
    await tables.close();
    throw error;
  }
}

const NULL = "\\N";

/**
 * The rows of keys, of which those that were destroyed are empty. No value has a tab or a newline.
 * @param erasures those that were met are taken out.
 */
async function* withoutErased(
  rows: AsyncIterable<Uint8Array>,
  columns: readonly string[],
  erasures: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const place = (name: string) => columns.indexOf(name);
  const [subject, wrapped, version, destroyed] = [
    place("subject"),
    place("wrapped"),
    place("key_version"),
    place("destroyed_at"),
  ] as [number, number, number, number];
  async function* lines() {
    for await (const line of linesOf(rows)) {
      const values = line.split("\t");
      const at = erasures.get(values[subject] ?? "");
      erasures.delete(values[subject] ?? "");
      if (at !== undefined && values[wrapped] !== NULL) {
        values[wrapped] = NULL;
        values[version] = NULL;
        values[destroyed] = at;
      }
      yield `${values.join("\t")}\n`;
    }
  }
  for await (const { bytes } of byLines(lines())) yield bytes;
}
