/** Masks of personal values. A mask keeps the format and reveals no more than its docstring says. */

/** `quinn@example.net` -> `q***@***`: the first letter only, so that no domain can be completed. */
export function maskEmail(email: string): string {
  return email.lastIndexOf("@") < 1 ? "***" : `${first(email)}***@***`;
}

/** `+1 303 555 0142` -> `(***) ***-****` for any number: none of its digits is shown. */
export function maskPhone(_phone: string): string {
  return "(***) ***-****";
}

/** `000123456789` -> `****6789`: the last four characters, or none if the account has fewer than eight. */
export function maskAccount(account: string): string {
  const kept = account.replace(/[^0-9A-Za-z]/g, "");
  return kept.length < 8 ? "****" : `****${kept.slice(-4)}`;
}

/** Returns the first code point, so that no surrogate pair is split. */
function first(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 42);
}

/** Returns the first six digits, stars and the last four: `411111******1234`; stars for an unknown part. */
export function maskCard(
  first6: string | undefined,
  last4: string | undefined,
): string | undefined {
  if (!first6 && !last4) return undefined;
  return `${first6 ?? "******"}******${last4 ?? "****"}`;
}

/**
 * Returns the number to quote: a letter and ten digits of an ID, such as `R-7F3A9-C21B0`.
 * @param id a UUID.
 */
export function quotedNumber(prefix: string, id: string): string {
  const digits = id.replaceAll("-", "").slice(0, 10).toUpperCase();
  return `${prefix}-${digits.slice(0, 5)}-${digits.slice(5)}`;
}

/** Returns a report's number, which reveals nothing about its contents. */
export function reportNumber(id: string): string {
  return quotedNumber("R", id);
}
