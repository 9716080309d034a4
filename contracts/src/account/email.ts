/** Length of the longest address that SMTP can carry, in characters (RFC 5321). */
export const EMAIL_LENGTH = 254;

/** The message for an invalid address. */
export const EMAIL_SENTENCE = "Please enter a valid email";

const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\.[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether HTML's `<input type=email>` accepts it, with a dot in the domain, which is no IP address in any notation. */
export function isEmail(value: string): boolean {
  return value.length <= EMAIL_LENGTH && EMAIL.test(value);
}

/** The mailbox to count by: without case, spellings of a character (NFKC), and anything after a "+" (RFC 5233). */
export function mailboxOf(address: string): string {
  const normalised = address.normalize("NFKC").trim().toLowerCase();
  const at = normalised.lastIndexOf("@");
  const local = normalised.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return `${local}${normalised.slice(at)}`;
}
