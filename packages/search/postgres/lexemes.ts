/**
 * Terms are stored in a tsvector, whose sorted words are found by bisection; an array would be
 * compared term by term. No text search configuration is involved.
 */

/** The text form of a tsvector of these terms. */
export function lexemes(terms: readonly string[]): string {
  return terms.map(quoted).join(" ");
}

/** The text form of a tsquery that matches any of these terms. */
export function anyLexeme(terms: readonly string[]): string {
  return terms.map(quoted).join(" | ");
}

function quoted(term: string): string {
  return `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
