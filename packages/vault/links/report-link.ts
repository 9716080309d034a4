import type { OneTimeLink } from "#contracts/events/one-time-link.ts";
import type { LiveKey } from "../keys/live-key.ts";
import type { BlindIndexer } from "../sealing/blind-index.ts";
import { addressMarks } from "./address-mark.ts";
import { createOneTimeLinks } from "./one-time-link.ts";

/** How long a link works: a rejected report is kept as long. */
const VALID_MS = 365 * 86_400_000;

/** A report whose progress somebody may see. */
export interface StatusLink {
  readonly id: string;
  /** Whether the link was mailed to this address. */
  isFor(address: string): boolean;
}

/** A question that somebody may read and answer. */
export interface QuestionLink {
  /** Of the report. */
  readonly id: string;
  readonly questionId: string;
}

/**
 * Links that tell how far a report is, as often as they are opened. They hold the report's id, and a
 * keyed hash that binds them to the address that they were mailed to. Those of questions hold the question's id
 * instead.
 */
export interface ReportLinks {
  /** @param at when the mail was asked for, RFC 3339: the same mail always has the same link. */
  statusToken(reportId: string, address: string, at: string): string;
  /** @returns undefined for a token that is malformed, forged or expired. */
  readStatusToken(token: string, now: string): StatusLink | undefined;
  /** @param link of the question, as its event has it. */
  questionToken(reportId: string, link: OneTimeLink): string;
  /** @returns undefined for a token that is malformed, forged or expired. */
  readQuestionToken(token: string, now: string): QuestionLink | undefined;
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
  };
}
