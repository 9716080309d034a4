import { createHmac, timingSafeEqual } from "node:crypto";
import type { LiveKey } from "../keys/key-store.ts";
import { openBytes, SealBroken, sealBytes } from "../sealing/box.ts";

/** What a list had when it was counted for somebody. */
export interface CountedList {
  readonly accountId: string;
  readonly list: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly rows: number;
  /** Where the list begins; absent when it is empty. Rows that come later stand before it. */
  readonly first?: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly expiresAt: string;
}

/** An export that the log has. */
export interface ExportTicket extends CountedList {
  readonly exportId: string;
  readonly format: string;
}

/** Texts between the two services, which their bearer cannot read or change. */
export interface ListExportSeals {
  sealCount(count: CountedList): string;
  sealTicket(ticket: ExportTicket): string;
  /** @param now RFC 3339, UTC. @returns undefined for a text that was not sealed here for this, or has expired. */
  openCount(text: string, now: string): CountedList | undefined;
  openTicket(text: string, now: string): ExportTicket | undefined;
}

/** Neither of them opens as the other, or as a position, which is sealed under the same key. */
const COUNT = Buffer.from("list-export-count");
const TICKET = Buffer.from("list-export-ticket");

/** @param key the service key `positions`. */
export function listExportSeals(key: LiveKey): ListExportSeals {
  const seal = (value: CountedList, purpose: Buffer) =>
    sealBytes(key.current(), Buffer.from(JSON.stringify(value)), purpose);
  function open<T extends CountedList>(text: string, purpose: Buffer, now: string): T | undefined {
    for (const each of key.all().toReversed()) {
      try {
        const value = JSON.parse(openBytes(each, text, purpose).toString()) as T;
        return Date.parse(now) < Date.parse(value.expiresAt) ? value : undefined;
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
      }
    }
    return undefined;
  }
  return {
    sealCount: (count) => seal(count, COUNT),
    sealTicket: (ticket) => seal(ticket, TICKET),
    openCount: (text, now) => open(text, COUNT, now),
    openTicket: (text, now) => open(text, TICKET, now),
  };
}

/** A place in an export of an account's data. */
interface ExportPlace {
  readonly accountId: string;
  /** Which part of the export. */
  readonly part: string;
  /** How far in it; empty at its beginning. */
  readonly after: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly expiresAt: string;
}

/** Tokens with which an export goes on. They are never mailed, and in no address. */
export interface ExportLinks {
  /** base64url of the place as JSON, a dot, and base64url of its HMAC-SHA-256. */
  makeToken(place: ExportPlace): string;
  /** @param now RFC 3339, UTC. @returns undefined for a token that is malformed, forged or expired. */
  readToken(token: string, now: string): ExportPlace | undefined;
}

/** @param key the service key `links`. A token of a former key is valid as long as that key. */
export function createExportLinks(key: LiveKey): ExportLinks {
  return {
    makeToken({ accountId, part, after, expiresAt }) {
      const place = Buffer.from(JSON.stringify({ accountId, part, after, expiresAt }));
      const mac = macOf(key.current(), place);
      return `${place.toString("base64url")}.${mac.toString("base64url")}`;
    },
    readToken(token, now) {
      const [text = "", sent = ""] = token.split(".");
      const place = Buffer.from(text, "base64url");
      const mac = Buffer.from(sent, "base64url");
      const fits = (each: Buffer) => {
        const right = macOf(each, place);
        return right.length === mac.length && timingSafeEqual(right, mac);
      };
      if (!key.all().some(fits)) return undefined;
      const read = JSON.parse(place.toString()) as ExportPlace;
      return Date.parse(now) < Date.parse(read.expiresAt) ? read : undefined;
    },
  };
}

function macOf(key: Buffer, place: Buffer): Buffer {
  // One-time links under the same key begin with a number: see `one-time-link.ts`.
  return createHmac("sha256", key).update("export-place:").update(place).digest();
}
