import { UNSUBSCRIBE_SCOPES, type UnsubscribeScope } from "#contracts/mail/unsubscribe.ts";
import type { LiveKey } from "../keys/key-store.ts";
import type { BlindIndexer } from "../sealing/hashes.ts";
import { addressMarks, createOneTimeLinks } from "./one-time-link.ts";

/** How long a link works: people unsubscribe from old mails too. */
const VALID_MS = 365 * 86_400_000;
const SCOPES = Object.keys(UNSUBSCRIBE_SCOPES) as UnsubscribeScope[];

/** What a link is for. */
export interface Unsubscription {
  readonly scope: UnsubscribeScope;
  /** Id of the report or the account. */
  readonly id: string;
  /** Whether the link was mailed to this address. */
  isFor(address: string): boolean;
}

/**
 * Links that switch mails off, without a sign-in and as often as they are opened. They hold the id of
 * a report or an account, and a keyed hash that binds them to the address that they were mailed to.
 */
export interface UnsubscribeLinks {
  /** @param at when the mail was asked for, RFC 3339: the same mail always has the same link. */
  makeToken(scope: UnsubscribeScope, id: string, address: string, at: string): string;
  /** @returns undefined for a token that is malformed, forged or expired. */
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
