import { createHmac, timingSafeEqual } from "node:crypto";
import type { LiveKey } from "../keys/live-key.ts";

/** A place in an export of an account's data. */
export interface ExportPlace {
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
  /**
   * @param now RFC 3339, UTC.
   * @returns undefined for a token that is malformed, forged or expired.
   */
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
