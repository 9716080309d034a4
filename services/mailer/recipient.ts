import type { BlindIndexer } from "#vault/sealing/blind-index.ts";

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
 * Blind index under which the outbox counts the mails of an address. It ignores case, different
 * spellings of a character (NFKC) and anything after a "+" (subaddress, RFC 5233). Otherwise one
 * mailbox could be sent mails under any number of names.
 */
export function recipientOf(address: string, blind: BlindIndexer, count: RecipientCount): string {
  const normalised = address.normalize("NFKC").trim().toLowerCase();
  const at = normalised.lastIndexOf("@");
  const local = normalised.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return blind(count, `${local}${normalised.slice(at)}`);
}
