/** Masks of personal values. A mask never gives back more than its docstring says. */

/** `quinn@example.net` -> `q***@e***.net`: the first letters and the last label. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const domain = email.slice(at + 1);
  const lastDot = domain.lastIndexOf(".");
  if (at < 1 || lastDot < 1) return "***";
  return `${first(local)}***@${first(domain)}***${domain.slice(lastDot)}`;
}

/** `+1 303 555 0142` -> `***42`: the last two digits, or none if the number has fewer than six. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, "");
  return digits.length < 6 ? "***" : `***${digits.slice(-2)}`;
}

/**
 * `000123456789` -> `****6789`: the last four characters, or none if the account has fewer than
 * eight.
 */
export function maskAccount(account: string): string {
  const kept = account.replace(/[^0-9A-Za-z]/g, "");
  return kept.length < 8 ? "****" : `****${kept.slice(-4)}`;
}

/** First code point, so that a surrogate pair is never cut in two. */
function first(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 42);
}
