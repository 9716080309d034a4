import { mailboxOf } from "#contracts/account/email.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";

/**
 * What the mails of an address are counted as. Links that were requested again have their own
 * count.
 */
export type RecipientCount =
  | "mail.recipient"
  | "mail.recipient.resent"
  /** Links to set a password: strangers use up no other mail by them, nor these by any other. */
  | "mail.recipient.password";

/**
 * Blind index under which the outbox counts the mails of an address: those of one mailbox are counted
 * together, whatever the name.
 */
export function recipientOf(address: string, blind: BlindIndexer, count: RecipientCount): string {
  return blind(count, mailboxOf(address));
}
