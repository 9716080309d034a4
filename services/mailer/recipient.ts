import type { BlindIndexer } from "#vault/sealing/blind-index.ts";

/** What an address's mails are counted as: links that were asked for again count by themselves. */
export type RecipientCount = "mail.recipient" | "mail.recipient.resent";

/**
 * Blind index under which the outbox counts an address's mails. Case, spellings of one letter
 * (NFKC) and what stands after a "+" (subaddress, RFC 5233) make no other recipient: else one
 * mailbox could be sent to under any number of names.
 */
export function recipientOf(address: string, blind: BlindIndexer, count: RecipientCount): string {
  const normalised = address.normalize("NFKC").trim().toLowerCase();
  const at = normalised.lastIndexOf("@");
  const local = normalised.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return blind(count, `${local}${normalised.slice(at)}`);
}
