import { createHmac, timingSafeEqual } from "node:crypto";
import type { UnsubscribeScope } from "#contracts/mail/unsubscribe.ts";
import type { LiveKey } from "../keys/live-key.ts";

/** What a link is for. A token for one purpose is invalid for another. */
export type LinkPurpose =
  /** Of a report. */
  | "verify-email"
  /** Of an account. */
  | "confirm-account"
  | "reset-password"
  | "sign-in"
  | "change-email"
  | "undo-email-change"
  /** Not mailed: in the answer to a submission, for correcting its address. */
  | "correct-address"
  /** See `report-link.ts`. */
  | "report-status"
  | "answer-question"
  /** See `unsubscribe-link.ts`. */
  | `unsubscribe-${UnsubscribeScope}`;

export interface LinkContent {
  /** UUID of the aggregate that decides whether the link is still valid. */
  readonly aggregateId: string;
  /** UUID of this link, as in the event that requested it. */
  readonly linkId: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly expiresAt: string;
}

export type LinkRefusal = "malformed" | "forged" | "expired";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CONTENT_BYTES = 16 + 16 + 8;
/** 72 bytes fill exactly 96 characters of base64url, so each token has only one spelling. */
const TOKEN = /^[A-Za-z0-9_-]{96}$/;

function uuidBytes(id: string): Buffer {
  if (!UUID.test(id)) throw new TypeError("an id in a link is a UUID");
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function uuidText(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function macOf(linkKey: Buffer, purpose: LinkPurpose, content: Buffer): Buffer {
  // The length separates purpose and content unambiguously.
  return createHmac("sha256", linkKey)
    .update(`${purpose.length}:${purpose}:`)
    .update(content)
    .digest();
}

/** Makes and reads the tokens of one-time links under one key. */
export interface OneTimeLinks {
  /**
   * base64url of aggregate id, link id, expiry (milliseconds since 1970, 8 bytes) and an
   * HMAC-SHA-256 of the purpose and all three. Nothing needs to be stored.
   */
  makeToken(purpose: LinkPurpose, content: LinkContent): string;
  /**
   * Reads a token back. Whether the link was already used is for the aggregate to decide. A link is
   * valid until just before its expiry.
   */
  readToken(token: string, purpose: LinkPurpose, now: string | Date): LinkContent | LinkRefusal;
}

/**
 * @param linkKey the service key `links`. A link made under a former key is valid as long as that
 * key.
 */
export function createOneTimeLinks(linkKey: LiveKey): OneTimeLinks {
  return {
    makeToken(purpose, { aggregateId, linkId, expiresAt }) {
      const expiry = Buffer.alloc(8);
      expiry.writeBigInt64BE(BigInt(new Date(expiresAt).getTime()));
      const content = Buffer.concat([uuidBytes(aggregateId), uuidBytes(linkId), expiry]);
      return Buffer.concat([content, macOf(linkKey.current(), purpose, content)]).toString(
        "base64url",
      );
    },
    readToken(token, purpose, now) {
      if (!TOKEN.test(token)) return "malformed";
      const bytes = Buffer.from(token, "base64url");
      const content = bytes.subarray(0, CONTENT_BYTES);
      const mac = bytes.subarray(CONTENT_BYTES);
      const fits = (key: Buffer) => timingSafeEqual(mac, macOf(key, purpose, content));
      if (!linkKey.all().some(fits)) return "forged";
      const expiresAt = Number(content.readBigInt64BE(32));
      if (new Date(now).getTime() >= expiresAt) return "expired";
      return {
        aggregateId: uuidText(content.subarray(0, 16)),
        linkId: uuidText(content.subarray(16, 32)),
        expiresAt: new Date(expiresAt).toISOString(),
      };
    },
  };
}
