/**
 * Terms are kept in a tsvector, whose sorted words are found by bisection; an array would be
 * compared term by term. Nothing here goes through a text search configuration.
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
