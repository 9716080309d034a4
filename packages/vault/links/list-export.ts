import type { LiveKey } from "../keys/key-store.ts";
import { openBytes, SealBroken, sealBytes } from "../sealing/box.ts";

/** Seals and opens texts that their bearer can neither read nor change, and that expire. */
export interface SealedTexts<T extends Expiring> {
  seal(value: T): string;
  /**
   * @param now RFC 3339, UTC.
   * @returns undefined for a text that was not sealed here for this purpose, or has expired.
   */
  open(text: string, now: string): T | undefined;
}

interface Expiring {
  /** RFC 3339, UTC, with milliseconds. */
  readonly expiresAt: string;
}

/** @param purpose a text for one purpose does not open for another one under the same key. */
function sealedTexts<T extends Expiring>(key: LiveKey, purpose: string): SealedTexts<T> {
  const bound = Buffer.from(purpose);
  return {
    seal: (value) => sealBytes(key.current(), Buffer.from(JSON.stringify(value)), bound),
    open(text, now) {
      for (const each of key.all().toReversed()) {
        try {
          const value = JSON.parse(openBytes(each, text, bound).toString()) as T;
          return Date.parse(now) < Date.parse(value.expiresAt) ? value : undefined;
        } catch (error) {
          if (!(error instanceof SealBroken)) throw error;
        }
      }
      return undefined;
    },
  };
}

/** A list as it was counted for an account. */
export interface CountedList extends Expiring {
  readonly accountId: string;
  readonly list: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly rows: number;
  /** Where the list begins; absent if it is empty. Rows added later come before it. */
  readonly first?: string;
}

/** An export that is in the log. */
export interface ExportTicket extends CountedList {
  readonly exportId: string;
  readonly format: string;
}

/** Texts that the two services exchange about exports of lists. */
export interface ListExportSeals {
  readonly count: SealedTexts<CountedList>;
  readonly ticket: SealedTexts<ExportTicket>;
}

/** @param key the service key `positions`. */
export function listExportSeals(key: LiveKey): ListExportSeals {
  return {
    count: sealedTexts(key, "list-export-count"),
    ticket: sealedTexts(key, "list-export-ticket"),
  };
}

/** A position in an export of an account's data. */
export interface ExportPlace extends Expiring {
  readonly accountId: string;
  readonly part: string;
  /** Position in the part; empty at its beginning. */
  readonly after: string;
}

/**
 * Returns the continuation tokens of an export. They are never emailed or put in a URL.
 * @param key the service key `positions`.
 */
export function exportPlaces(key: LiveKey): SealedTexts<ExportPlace> {
  return sealedTexts(key, "export-place");
}
