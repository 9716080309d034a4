/** The message for a text that is too long, after the field's name. */
export function lengthRule(limit: number | bigint): string {
  return `must have at most ${limit} ${Number(limit) === 1 ? "character" : "characters"}`;
}

/**
 * The most characters that a text may have, if one of a validator's errors says that it has more.
 */
export function exceededLimit(
  errors: readonly { readonly keyword: string; readonly params: unknown }[],
): number | bigint | undefined {
  const found = errors.find(({ keyword }) => keyword === "maxLength");
  return (found?.params as { readonly limit: number | bigint } | undefined)?.limit;
}
