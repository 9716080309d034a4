/** Maximum length of an address in SMTP, in characters (RFC 5321). */
export const EMAIL_LENGTH = 254;

/** The message for an invalid address. */
export const EMAIL_SENTENCE = "Please enter a valid email";

const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\.[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether HTML's `<input type=email>` accepts it and its domain has a dot and is not an IP address in any notation. */
export function isEmail(value: string): boolean {
  return value.length <= EMAIL_LENGTH && EMAIL.test(value);
}

/**
 * Normalizes an address for counting by mailbox: ignores case, compatibility variants (NFKC) and anything after a
 * "+" (RFC 5233).
 */
export function mailboxOf(address: string): string {
  const normalised = address.normalize("NFKC").trim().toLowerCase();
  const at = normalised.lastIndexOf("@");
  const local = normalised.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return `${local}${normalised.slice(at)}`;
}
