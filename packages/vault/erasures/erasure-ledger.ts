/**
 * The ledger of erasures: a file outside all stores that records whose keys were destroyed, and when. A backup is
 * older than some erasures; a restore destroys those keys again.
 *
 * Each line is JSON. The first one, `{"ledger":"<uuid>"}`, names the ledger; every other one is an {@link
 * Erasure} or a {@link Hiding}: the deletion of a report or an account can be undone until it is erased, and a
 * restore hides it again. A line that a crash cut off has no closing brace: its key was not destroyed yet, and
 * the erasure is recorded again before it is.
 */

import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { syncFolder } from "#runtime/atomic-file.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import { errorCode } from "#runtime/lifecycle/refusal.ts";
import { KeyBroken, type KeyStore } from "../keys/key-store.ts";

/** A key that was destroyed. `at` is RFC 3339. */
export interface Erasure {
  readonly subject: string;
  readonly at: string;
}

/** A report was hidden, or an account closed, until it is erased; or that was undone. Times are RFC 3339. */
export interface Hiding {
  /** Stream of the report or the account. */
  readonly hidden: string;
  /** Null once its deletion was undone. */
  readonly erase_at: string | null;
  /** Whether staff closed the account, so its owner cannot reopen it. */
  readonly by_staff?: boolean;
  readonly at: string;
}

/** How far a ledger was written at some time. From then on it begins with the same bytes. */
export interface LedgerMark {
  readonly id: string;
  readonly bytes: number;
  /** Hex SHA-256 of these bytes. */
  readonly sha256: string;
}

/** The ledger cannot be written or read now; nothing may be destroyed until it can. */
export class LedgerUnavailable extends Error {
  override readonly name = "LedgerUnavailable";
}

/** The file is not a ledger, or a line in it was changed. */
export class LedgerDamaged extends Error {
  override readonly name = "LedgerDamaged";
}

/** @throws {ConfigInvalid} if the URL is not a file URL. */
export function openErasureLedger(url: string): ErasureLedger {
  return chooseByScheme("ERASURES_URL", url, {
    file: () => new ErasureLedger(fileURLToPath(url)),
  });
}

/** A ledger in a file, which any number of processes on this machine may write. */
export class ErasureLedger {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /**
   * Appends lines; durable once the promise resolves. Creates the file if absent.
   * @throws {LedgerUnavailable}
   */
  async record(lines: readonly (Erasure | Hiding)[]): Promise<void> {
    if (lines.length === 0) return;
    await orUnavailable(this.#append(lines));
  }

  /**
   * Creates the file if absent.
   * @returns how far it is written.
   * @throws {LedgerUnavailable}
   * @throws {LedgerDamaged}
   */
  async mark(): Promise<LedgerMark> {
    await orUnavailable(this.#create());
    for await (const mark of this.#marks()) if (mark.isEnd) return mark;
    throw new LedgerDamaged("The ledger of erasures names no id");
  }

  /**
   * Whether the ledger has everything that the mark covers; false if there is no ledger.
   * @throws {LedgerUnavailable}
   * @throws {LedgerDamaged}
   */
  async continues(mark: LedgerMark): Promise<boolean> {
    if (!(await this.exists())) return false;
    for await (const { id, bytes, sha256 } of this.#marks(mark.bytes))
      if (bytes === mark.bytes) return id === mark.id && sha256 === mark.sha256;
    return false;
  }

  /** @throws {LedgerUnavailable} */
  async exists(): Promise<boolean> {
    try {
      await (await open(this.file, "r")).close();
      return true;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return false;
      throw unavailable(error);
    }
  }

  /**
   * Yields all erasures, oldest first, possibly repeated.
   * @throws {LedgerUnavailable}
   * @throws {LedgerDamaged}
   */
  async *read(): AsyncGenerator<Erasure, void, void> {
    for await (const line of this.#lines()) if ("subject" in line) yield line;
  }

  /**
   * Returns the last hiding of each report and account, by stream.
   * @throws {LedgerUnavailable}
   * @throws {LedgerDamaged}
   */
  async hidings(): Promise<Map<string, Hiding>> {
    const last = new Map<string, Hiding>();
    if (!(await this.exists())) return last;
    for await (const line of this.#lines()) if ("hidden" in line) last.set(line.hidden, line);
    return last;
  }

  async *#lines(): AsyncGenerator<Erasure | Hiding, void, void> {
    const lines = createInterface({ input: createReadStream(this.file), crlfDelay: Infinity });
    try {
      let number = 0;
      for await (const line of lines) {
        number += 1;
        const parsed = parseLine(line, number);
        if (parsed && !("ledger" in parsed)) yield parsed;
      }
    } catch (error) {
      throw error instanceof LedgerDamaged ? error : unavailable(error);
    }
  }

  async #append(entries: readonly (Erasure | Hiding)[]): Promise<void> {
    await this.#create();
    const handle = await open(this.file, "a+", 0o600);
    try {
      const { size } = await handle.stat();
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
      // A single write, so that the lines of two processes do not mix.
      const cut = buffer.toString() === "\n" ? "" : "\n";
      await handle.appendFile(cut + lines.join(""));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Creates the file unless it exists. Two processes that create it agree on one. */
  async #create(): Promise<void> {
    if (await this.exists()) return;
    const folder = path.dirname(this.file);
    const unfinished = `${this.file}.${randomUUID()}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const handle = await open(unfinished, "wx", 0o600);
      try {
        await handle.writeFile(`${JSON.stringify({ ledger: randomUUID() })}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await link(unfinished, this.file).catch((error) => {
        if (errorCode(error) !== "EEXIST") throw error;
      });
    } finally {
      await rm(unfinished, { force: true });
    }
    await syncFolder(folder);
  }

  /** Yields the mark at `stop`, if the file is that long, and the mark at its end. */
  async *#marks(stop?: number): AsyncGenerator<LedgerMark & { readonly isEnd: boolean }> {
    const hash = createHash("sha256");
    let id: string | undefined;
    let bytes = 0;
    let head = "";
    const markOf = (isEnd: boolean) => {
      id ??= idOf(head);
      return { id, bytes, sha256: hash.copy().digest("hex"), isEnd };
    };
    try {
      for await (const chunk of createReadStream(this.file) as AsyncIterable<Buffer>) {
        if (head.length < HEAD_CHARACTERS) head += chunk.toString("utf8", 0, HEAD_CHARACTERS);
        const before = stop === undefined ? 0 : Math.min(Math.max(stop - bytes, 0), chunk.length);
        if (before > 0) {
          hash.update(chunk.subarray(0, before));
          bytes += before;
          if (bytes === stop) yield markOf(false);
        }
        hash.update(chunk.subarray(before));
        bytes += chunk.length - before;
      }
    } catch (error) {
      throw error instanceof LedgerDamaged ? error : unavailable(error);
    }
    yield markOf(true);
  }
}

/** Longer than the first line. */
const HEAD_CHARACTERS = 100;
const UUID = /^[0-9a-f-]{36}$/;
const STREAM = /^(report|user)-[0-9a-f-]{36}$/;
const SUBJECT = /^[a-z]+-[a-z0-9-]{1,100}$/;

function idOf(head: string): string {
  const parsed = parseLine(head.split("\n")[0] ?? "", 1);
  return parsed && "ledger" in parsed ? parsed.ledger : "";
}

/**
 * @returns undefined for an empty line, and for one that was cut off.
 * @throws {LedgerDamaged}
 */
function parseLine(
  line: string,
  number: number,
): { ledger: string } | Erasure | Hiding | undefined {
  if (number > 1 && !line.endsWith("}")) return undefined;
  const parsed = parseJson(line);
  if (number === 1 && UUID.test(String(parsed.ledger))) return { ledger: String(parsed.ledger) };
  if (number === 1) throw new LedgerDamaged("The file is not a ledger of erasures");
  const { subject, hidden, erase_at = null, by_staff, at } = parsed;
  const isTime = (time: unknown) => !Number.isNaN(Date.parse(String(time)));
  if (STREAM.test(String(hidden)) && isTime(at) && (erase_at === null || isTime(erase_at)))
    return {
      hidden: String(hidden),
      erase_at: erase_at === null ? null : String(erase_at),
      ...(by_staff === true ? { by_staff } : {}),
      at: String(at),
    };
  if (SUBJECT.test(String(subject)) && isTime(at))
    return { subject: String(subject), at: String(at) };
  throw new LedgerDamaged(`Line ${number} of the ledger of erasures was changed`);
}

function parseJson(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof LedgerUnavailable) throw error;
    throw unavailable(error);
  }
}

/** Leaves out the system's error message, which contains the path. */
function unavailable(cause: unknown): LedgerUnavailable {
  return new LedgerUnavailable(
    `The ledger of erasures cannot be used (${errorCode(cause) ?? "unknown"})`,
  );
}

/**
 * Returns a key store that records every key in the ledger before it destroys it. If the process dies in between,
 * the ledger has an extra line for a moment: the erasure is in the log, and the shredder destroys the key. If the
 * ledger cannot be written, no key is destroyed: `destroy` throws {@link LedgerUnavailable}, and the shredder
 * retries until it can.
 */
export function recordErasures(keys: KeyStore, ledger: Pick<ErasureLedger, "record">): KeyStore {
  /** Returns the subjects whose keys are not destroyed yet, each once. */
  async function live(subjects: readonly string[]): Promise<string[]> {
    const once = [...new Set(subjects)];
    try {
      const states = await keys.get(once);
      return once.filter((subject) => states.get(subject)?.state !== "destroyed");
    } catch (error) {
      // A damaged key must be destroyed as well.
      if (error instanceof KeyBroken) return once;
      throw error;
    }
  }

  async function destroy(subjects: readonly string[], at: string): Promise<number> {
    const due = await live(subjects);
    await ledger.record(due.map((subject) => ({ subject, at })));
    return keys.destroy(due, at);
  }

  return {
    destroy,
    /** Repeats until none is left, because a key may be listed under the account in the meantime. */
    async destroyOwnedBy(owner, at) {
      let destroyed = 0;
      for (;;) {
        const owned = await live(await keys.ownedBy(owner));
        if (owned.length === 0) return destroyed;
        destroyed += await destroy(owned, at);
      }
    },
    ensure: (subjects) => keys.ensure(subjects),
    get: (subjects) => keys.get(subjects),
    own: (owner, subjects) => keys.own(owner, subjects),
    disown: (owner, only) => keys.disown(owner, only),
    ownedBy: (owner, page) => keys.ownedBy(owner, page),
    serviceKey: (name) => keys.serviceKey(name),
    liveKey: (name) => keys.liveKey(name),
    tokenVerifier: () => keys.tokenVerifier(),
    replaceServiceKey: (name, leadMs) => keys.replaceServiceKey(name, leadMs),
    rotate: (newMaster, onProgress) => keys.rotate(newMaster, onProgress),
    sweepUnused: (olderThan, inUse) => keys.sweepUnused(olderThan, inUse),
    close: () => keys.close(),
  };
}
