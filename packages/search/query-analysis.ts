import { queryTerms, type WordTerms } from "./name-terms.ts";
import { normaliseText, storable, wordsOf } from "./normalise.ts";

/** Maximum length of a query, and of its words together, in UTF-16 units; callers reject longer ones. */
export const MAX_QUERY_LENGTH = 200;

/** Maximum number of words of a query that count, from the first; a text must contain all of them. */
export const MAX_QUERY_WORDS = 12;

/**
 * Minimum length of a word that is searched as a part. Shorter ones are found as whole words, and a letter as an
 * initial.
 */
const MIN_PART = 3;

/** A word of a query, with all the ways in which it may be found. */
export interface QueryWord extends WordTerms {
  /** Lower-case ASCII letters and digits: safe inside a LIKE or wildcard pattern. */
  readonly text: string;
  /** Terms that are compared as a whole: a state code (`tx`), short words of the texts. */
  readonly tokens: readonly string[];
}

/** Whether the word is searched inside names and texts. */
export function isPart(word: QueryWord): boolean {
  return word.text.length >= MIN_PART;
}

export interface QueryAnalysis {
  /** True if there is nothing to search for: every document matches. */
  readonly blank: boolean;
  /** All must match. A query of signs only is not blank but has no words: it matches nothing. */
  readonly words: readonly QueryWord[];
}

/** Returns the term by which a word of the query finds a document's state. */
function stateTerm(word: string): string {
  return `s:${normaliseText(word)}`;
}

/** Returns the terms of a document's state: one for a code, one for each word of a region's name. */
export function stateTerms(state: string): string[] {
  return wordsOf(normaliseText(state)).map(stateTerm);
}

/** Returns terms for those words of a text that are too short to be found as parts of it. */
export function shortWordTerms(normalised: string): string[] {
  return wordsOf(normalised)
    .filter((word) => word.length < MIN_PART)
    .map((word) => `w:${word}`);
}

export function initialTerms(normalisedName: string): string[] {
  return wordsOf(normalisedName).map((word) => `w:${word[0]}`);
}

/** Analyzes a visitor's text. Never throws. A word with an "@" is searched as written, not as names. */
export function analyzeQuery(q: string): QueryAnalysis {
  const text = storable(q.slice(0, MAX_QUERY_LENGTH));
  const words = new Map<string, QueryWord>();
  let letters = MAX_QUERY_LENGTH;
  for (const chunk of text.split(/\s+/u)) {
    const isName = !chunk.includes("@");
    for (const whole of wordsOf(normaliseText(chunk))) {
      const word = whole.slice(0, letters);
      if (words.size === MAX_QUERY_WORDS || word === "") break;
      if (words.has(word)) continue;
      words.set(word, queryWord(word, isName));
      letters -= word.length;
    }
  }
  return { blank: text.trim() === "", words: [...words.values()] };
}

function queryWord(text: string, isName: boolean): QueryWord {
  const short = shortWordTerms(text);
  return isName
    ? { text, tokens: [stateTerm(text), ...short], ...queryTerms(text) }
    : { text, tokens: short, exact: [], nickname: [], phonetic: [], fuzzy: [] };
}
