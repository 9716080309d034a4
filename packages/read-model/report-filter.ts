/**
 * What the moderators' list is filtered by, as one index holds it: terms of closed lists, and one
 * text of everything that words are looked for in. Expressions of SQL over a row of `reports.report`
 * under the name `r`; a statement that repeats them is served by the index.
 */

/** The text, with a space at both ends. */
export const REPORT_TEXT = `(' ' || r.id::text || ' ' || r.first_name || ' ' || r.last_name || ' '
  || r.title || ' ' || r.description || ' ' || r.city || ' ')`;

/** The terms, of type `text[]`: those of {@link reportTerms}, and the codes of all reasons. */
export const REPORT_TERMS = `(array['status ' || r.status, 'type ' || r.report_type,
    case when r.verified then 'verified' else 'unverified' end,
    r.chargeback_reason, r.check_reason]
  || string_to_array(translate(
      jsonb_path_query_array(r.chargebacks, '$[*].reason')::text, '[]" ', ''), ','))`;

/** What the list may be filtered by, beside words. */
export interface TermFilter {
  readonly status?: string | undefined;
  readonly report_type?: string | undefined;
  readonly verified?: boolean | undefined;
  /** Of the report itself or of an additional chargeback. */
  readonly reason?: string | undefined;
}

/** Terms that a report has to have, every one. */
export function reportTerms({ status, report_type, verified, reason }: TermFilter): string[] {
  return [
    ...(status ? [`status ${status}`] : []),
    ...(report_type ? [`type ${report_type}`] : []),
    ...(verified === undefined ? [] : [verified ? "verified" : "unverified"]),
    ...(reason ? [reason] : []),
  ];
}

/** The words of names, title and city in small letters, of type `text[]`. */
export const REPORT_WORDS = `regexp_split_to_array(
  lower(r.first_name || ' ' || r.last_name || ' ' || r.title || ' ' || r.city), '[^[:alnum:]]+')`;

/** Letters from which on the index finds a part of a word. */
const INDEXED = 3;

/** How a word of a filter is found: by a pattern of ILIKE in the text, or among the words, whole. */
export type WordFilter = { readonly pattern: string } | { readonly words: readonly string[] };

/**
 * What has three letters or digits in a row is found anywhere in the text. Signs stand for any one:
 * the index has none, so they would have every report read that has the letters.
 * @returns undefined for a word of signs alone, which nothing holds.
 */
export function wordFilter(word: string): WordFilter | undefined {
  const parts = word.split(/[^\p{L}\p{M}\p{N}]/u);
  const filled = parts.filter(Boolean);
  if (filled.length === 0) return undefined;
  if (filled.every((part) => Array.from(part).length < INDEXED))
    return { words: filled.map((part) => part.toLowerCase()) };
  return { pattern: `%${parts.join("_").replace(/^_+|_+$/g, "")}%` };
}
