/**
 * Filters of the moderators' list, in the form that one index holds: terms from closed lists, and one text that
 * is searched for words. These are SQL expressions over a row of `reports.report` named `r`; a statement that
 * repeats them can use the index.
 */

/** The text, with a space at both ends. */
export const REPORT_TEXT = `(' ' || r.id::text || ' ' || r.first_name || ' ' || r.last_name || ' '
  || r.title || ' ' || r.description || ' ' || r.city || ' ')`;

/** The terms, as `text[]`: those of {@link reportTerms}, and the codes of all reasons. */
export const REPORT_TERMS = `(array['status ' || r.status, 'type ' || r.report_type,
    case when r.verified then 'verified' else 'unverified' end,
    r.chargeback_reason, r.check_reason]
  || string_to_array(translate(
      jsonb_path_query_array(r.chargebacks, '$[*].reason')::text, '[]" ', ''), ','))`;

/** Filters of the list, besides words. */
export interface TermFilter {
  readonly status?: string | undefined;
  readonly report_type?: string | undefined;
  readonly verified?: boolean | undefined;
  /** A reason of the report itself or of an additional chargeback. */
  readonly reason?: string | undefined;
}

/** Returns the terms that a report must have, all of them. */
export function reportTerms({ status, report_type, verified, reason }: TermFilter): string[] {
  return [
    ...(status ? [`status ${status}`] : []),
    ...(report_type ? [`type ${report_type}`] : []),
    ...(verified === undefined ? [] : [verified ? "verified" : "unverified"]),
    ...(reason ? [reason] : []),
  ];
}

/** The words of names, title and city in lower case, as `text[]`. */
export const REPORT_SEARCH_FIELDS = `regexp_split_to_array(
  lower(r.first_name || ' ' || r.last_name || ' ' || r.title || ' ' || r.city), '[^[:alnum:]]+')`;

/** Minimum length at which the index can find a part of a word. */
const INDEXED = 3;

/** How a word of a filter is matched: by an ILIKE pattern in the text, or as a whole word. */
export type WordFilter = { readonly pattern: string } | { readonly words: readonly string[] };

/**
 * Returns how to match a word. Three letters or digits in a row are found anywhere in the text. Any other sign
 * matches any character: the index holds no signs, so an exact match would read every report with the letters.
 * @returns undefined for a word of signs only, which matches nothing.
 */
export function wordFilter(word: string): WordFilter | undefined {
  const parts = word.split(/[^\p{L}\p{M}\p{N}]/u);
  const filled = parts.filter(Boolean);
  if (filled.length === 0) return undefined;
  if (filled.every((part) => Array.from(part).length < INDEXED))
    return { words: filled.map((part) => part.toLowerCase()) };
  return { pattern: `%${parts.join("_").replace(/^_+|_+$/g, "")}%` };
}
