/**
 * Pattern of a text that stays on one line and reads as it is stored. It refuses line breaks and
 * other control characters (Unicode category Cc, U+2028, U+2029), and those that reorder the text
 * around them (UAX #9: embeddings, overrides and isolates). Right-to-left text needs none of them.
 */
export const ONE_LINE =
  "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*$";

/** The message for people, after the field's name. */
export const ONE_LINE_RULE = "must be one line, without control characters";

/** Whether a validator's error means that a text breaks this rule. */
export function isOneLineError(error: { readonly keyword: string; readonly params: unknown }) {
  const { pattern } = error.params as { pattern?: unknown };
  return error.keyword === "pattern" && String(pattern) === ONE_LINE;
}
