import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { found } from "./canaries.ts";

/** Texts by where they were found. */
export type Texts = ReadonlyMap<string, string>;

/** Returns the canaries found in texts, each with its place. */
export function leaks(texts: Texts, canaries: readonly string[]): string[] {
  return [...texts].flatMap(([name, text]) =>
    found(text, canaries).map((canary) => `${name}: ${canary}`),
  );
}

/** Every row of every table. */
export async function rowsOf(db: pg.Pool): Promise<Texts> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await db.query(
      `select coalesce(string_agg(t::text, E'\\n'), '') as text from ${name} t`,
    );
    texts.set(name, decoded(rows[0].text));
  }
  return texts;
}

/** Returns all sent emails, raw and decoded. */
export async function mailsIn(folder: string): Promise<string> {
  const files = await filesIn(folder);
  // Other files are emails still being written.
  const mails = [...files].filter(([name]) => name.endsWith(".eml"));
  return mails.map(([, text]) => decoded(text)).join("\n");
}

/**
 * Finds a link that was emailed to an address.
 * @param kind first part of its path.
 * @returns its token; undefined until the email arrives.
 */
export async function tokenMailedTo(
  folder: string,
  address: string,
  kind: string,
): Promise<string | undefined> {
  for (const [name, text] of await filesIn(folder)) {
    const [, to] = /^To: (.*)$/m.exec(text) ?? [];
    if (!name.endsWith(".eml") || to !== address) continue;
    const [, token] = new RegExp(`/${kind}/([\\w-]{20,})`).exec(decodedMail(text)) ?? [];
    if (token) return token;
  }
  return undefined;
}

/** Returns every file in a folder and its subfolders, with the file names. */
export async function filesIn(folder: string): Promise<Texts> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, string]> => {
      const file = path.join(parentPath, name);
      // An email may be given its final name between the two calls.
      const bytes = await readFile(file).catch(() => Buffer.alloc(0));
      return [path.relative(folder, file), `${name}\n${bytes.toString("latin1")}`];
    }),
  );
  return new Map(texts);
}

/** Returns a text together with its decodings: bytes of PostgreSQL, base64, and lines of emails. */
export function decoded(text: string): string {
  const hex = text.match(/\\x[0-9a-f]{12,}/g) ?? [];
  const base64 = text.replace(/\r?\n/g, "").match(/[A-Za-z0-9+/_-]{16,}/g) ?? [];
  return [
    text,
    decodedMail(text),
    ...hex.map((run) => Buffer.from(run.slice(2), "hex").toString("latin1")),
    ...base64.map((run) => Buffer.from(run, "base64").toString("latin1")),
  ].join("\n");
}

/** Decodes quoted-printable lines (RFC 2045, 6.7). */
function decodedMail(text: string): string {
  return text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}
