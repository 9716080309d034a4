/**
 * The number that people quote: a letter and the first ten digits of an id, as in `R-7F3A9-C21B0`.
 * @param id a UUID.
 */
export function quotedNumber(prefix: string, id: string): string {
  const digits = id.replaceAll("-", "").slice(0, 10).toUpperCase();
  return `${prefix}-${digits.slice(0, 5)}-${digits.slice(5)}`;
}

/** A report's number, which says nothing about what is in it. */
export function reportNumber(id: string): string {
  return quotedNumber("R", id);
}
