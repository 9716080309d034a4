/**
 * Pattern of a text that stays on its line and means what it shows: no line breaks and other
 * control characters (Unicode category Cc, U+2028, U+2029), nor those that turn the text around them
 * (UAX #9, embeddings, overrides and isolates). Right-to-left text needs none of them.
 */
export const ONE_LINE =
  "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*$";

/** What a person reads after the field's name. */
export const ONE_LINE_RULE = "must be one line, without control characters";

/** Whether an error of a validator says that a text breaks this rule. */
export function isOneLineError(error: { readonly keyword: string; readonly params: unknown }) {
  const { pattern } = error.params as { pattern?: unknown };
  return error.keyword === "pattern" && String(pattern) === ONE_LINE;
}
