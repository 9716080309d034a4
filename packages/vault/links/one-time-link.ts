import { createHmac, timingSafeEqual } from "node:crypto";
import type { OneTimeLink } from "#contracts/events/one-time-link.ts";
import { UNSUBSCRIBE_SCOPES, type UnsubscribeScope } from "#contracts/mail/unsubscribe.ts";
import type { LiveKey } from "../keys/key-store.ts";
import type { BlindIndexer } from "../sealing/hashes.ts";

/** Purpose of a link. A token for one purpose is invalid for another. */
export type LinkPurpose =
  /** For a report. */
  | "verify-email"
  /** For an account. */
  | "confirm-account"
  | "reset-password"
  | "sign-in"
  | "change-email"
  | "undo-email-change"
  /** Not emailed: in the reply to a submission, for correcting its address. */
  | "correct-address"
  /** See {@link ReportLinks}. */
  | "report-status"
  | "answer-question"
  | "reply-to-inquiry"
  /** See {@link UnsubscribeLinks}. */
  | `unsubscribe-${UnsubscribeScope}`;

interface LinkContent {
  /** UUID of the aggregate that decides whether the link is still valid. */
  readonly aggregateId: string;
  /** UUID of this link, as in the event that requested it. */
  readonly linkId: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly expiresAt: string;
}

type LinkRefusal = "malformed" | "forged" | "expired";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CONTENT_BYTES = 16 + 16 + 8;
/** 72 bytes fill exactly 96 base64url characters, so each token has only one spelling. */
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

/** Creates and reads the tokens of one-time links under one key. */
export interface OneTimeLinks {
  /**
   * Returns base64url of aggregate ID, link ID, expiry (ms since 1970, 8 bytes) and an HMAC-SHA-256 that covers
   * the purpose.
   */
  makeToken(purpose: LinkPurpose, content: LinkContent): string;
  /** Reads a token until just before its expiry. The aggregate decides whether the link was used. */
  readToken(token: string, purpose: LinkPurpose, now: string | Date): LinkContent | LinkRefusal;
}

/** @param linkKey the service key `links`. A link stays valid as long as the key that it was created with. */
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

/** Lifetime of a link, equal to the retention period of a rejected report. */
const VALID_MS = 365 * 86_400_000;

/** A report whose progress the link shows. */
interface StatusLink {
  readonly id: string;
  /** Whether the link was emailed to this address. */
  isFor(address: string): boolean;
}

/** A question that the link shows and answers. */
interface QuestionLink {
  /** ID of the report. */
  readonly id: string;
  readonly questionId: string;
}

/** An answer to an inquiry, which the link shows and replies to. */
interface AnswerLink {
  /** ID of the inquiry. */
  readonly id: string;
  readonly answerId: string;
}

/**
 * Links that show a report's progress, bound to the address they were sent to, or accept the one reply to a
 * question or an answer.
 */
export interface ReportLinks {
  /** @param at when the email was requested, RFC 3339: the same email always has the same link. */
  statusToken(reportId: string, address: string, at: string): string;
  /** @returns undefined for a malformed, forged or expired token. */
  readStatusToken(token: string, now: string): StatusLink | undefined;
  /** @param link of the question, as in its event. */
  questionToken(reportId: string, link: OneTimeLink): string;
  /** @returns undefined for a malformed, forged or expired token. */
  readQuestionToken(token: string, now: string): QuestionLink | undefined;
  /** @param link of the answer, as in its event. */
  answerToken(inquiryId: string, link: OneTimeLink): string;
  /** @returns undefined for a malformed, forged or expired token. */
  readAnswerToken(token: string, now: string): AnswerLink | undefined;
}

/** @param key the service key `unsubscribe`, whose links also work for a year. */
export function createReportLinks(key: LiveKey, blind: BlindIndexer): ReportLinks {
  const links = createOneTimeLinks(key);
  const markOf = addressMarks(blind, "report_status");
  return {
    statusToken(reportId, address, at) {
      const expiresAt = new Date(Date.parse(at) + VALID_MS).toISOString();
      const content = { aggregateId: reportId, linkId: markOf(reportId, address), expiresAt };
      return links.makeToken("report-status", content);
    },
    readStatusToken(token, now) {
      const read = links.readToken(token, "report-status", now);
      if (typeof read === "string") return undefined;
      const { aggregateId: id, linkId } = read;
      return { id, isFor: (address) => markOf(id, address) === linkId };
    },
    questionToken: (reportId, { link_id: linkId, expires_at: expiresAt }) =>
      links.makeToken("answer-question", { aggregateId: reportId, linkId, expiresAt }),
    readQuestionToken(token, now) {
      const read = links.readToken(token, "answer-question", now);
      if (typeof read === "string") return undefined;
      return { id: read.aggregateId, questionId: read.linkId };
    },
    answerToken: (inquiryId, { link_id: linkId, expires_at: expiresAt }) =>
      links.makeToken("reply-to-inquiry", { aggregateId: inquiryId, linkId, expiresAt }),
    readAnswerToken(token, now) {
      const read = links.readToken(token, "reply-to-inquiry", now);
      if (typeof read === "string") return undefined;
      return { id: read.aggregateId, answerId: read.linkId };
    },
  };
}

/**
 * Returns marks that replace a link's ID: keyed hashes of the address, as UUIDs.
 * @param field one for each kind of link.
 */
function addressMarks(blind: BlindIndexer, field: string) {
  /** @param id of the report or account that the link is about. */
  return (id: string, address: string): string => {
    const hash = blind(field, `${id} ${address.trim().toLowerCase()}`);
    const hex = Buffer.from(hash, "base64url").subarray(0, 16).toString("hex");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
}

const SCOPES = Object.keys(UNSUBSCRIBE_SCOPES) as UnsubscribeScope[];

interface Unsubscription {
  readonly scope: UnsubscribeScope;
  /** ID of the report or the account. */
  readonly id: string;
  /** Whether the link was emailed to this address. */
  isFor(address: string): boolean;
}

/** Links that turn emails off without signing in, bound to the address they were sent to. */
export interface UnsubscribeLinks {
  /** @param at when the email was requested, RFC 3339: the same email always has the same link. */
  makeToken(scope: UnsubscribeScope, id: string, address: string, at: string): string;
  /** @returns undefined for a malformed, forged or expired token. */
  readToken(token: string, now: string): Unsubscription | undefined;
}

/** @param key the service key `unsubscribe`. */
export function createUnsubscribeLinks(key: LiveKey, blind: BlindIndexer): UnsubscribeLinks {
  const links = createOneTimeLinks(key);
  const markOf = addressMarks(blind, "unsubscribe");
  return {
    makeToken(scope, id, address, at) {
      const expiresAt = new Date(Date.parse(at) + VALID_MS).toISOString();
      const content = { aggregateId: id, linkId: markOf(id, address), expiresAt };
      return links.makeToken(`unsubscribe-${scope}`, content);
    },
    readToken(token, now) {
      for (const scope of SCOPES) {
        const read = links.readToken(token, `unsubscribe-${scope}`, now);
        if (typeof read === "string") continue;
        const { aggregateId: id, linkId } = read;
        return { scope, id, isFor: (address) => markOf(id, address) === linkId };
      }
      return undefined;
    },
  };
}
