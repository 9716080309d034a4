/** Length of the longest address that SMTP can carry, in characters (RFC 5321). */
export const EMAIL_LENGTH = 254;

/** The message for an invalid address. */
export const EMAIL_SENTENCE = "Please enter a valid email";

const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

/**
 * Whether it is an address as the HTML standard's `<input type=email>` accepts it, with a dot in
 * the domain.
 */
export function isEmail(value: string): boolean {
  return value.length <= EMAIL_LENGTH && EMAIL.test(value);
}
