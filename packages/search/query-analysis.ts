import { queryTerms, type WordTerms } from "./name-terms.ts";
import { normaliseText, storable, wordsOf } from "./normalise.ts";

/** Longest query that is looked at, in UTF-16 units; callers refuse longer ones. */
export const MAX_QUERY_LENGTH = 200;

/** Words of a query that count, the first of them; a text must hold every one. */
export const MAX_QUERY_WORDS = 12;

/** One word of a query and all the ways in which it may be found. */
export interface QueryWord extends WordTerms {
  /** Lower-case ASCII letters and digits: safe inside a LIKE or wildcard pattern. */
  readonly text: string;
  /** Terms of the words that are compared with the whole code of a state (`tx`). */
  readonly state: readonly string[];
}

export interface QueryAnalysis {
  /** True when there is nothing to look for: every document matches. */
  readonly blank: boolean;
  /** All must match. None of a query that is not blank (only signs): then nothing matches. */
  readonly words: readonly QueryWord[];
}

/** The term under which a document's state is found by a word of the query. */
export function stateTerm(state: string): string {
  return `s:${normaliseText(state)}`;
}

/**
 * What a visitor's free text asks for. Never throws. The parts of a word with an "@" are looked
 * for as they are written, not as names: an address is no person's name.
 */
export function analyseQuery(q: string): QueryAnalysis {
  const text = storable(q.slice(0, MAX_QUERY_LENGTH));
  const words = new Map<string, QueryWord>();
  for (const chunk of text.split(/\s+/u)) {
    const isName = !chunk.includes("@");
    for (const word of wordsOf(normaliseText(chunk))) {
      if (words.size === MAX_QUERY_WORDS) break;
      if (!words.has(word)) words.set(word, queryWord(word, isName));
    }
  }
  return { blank: text.trim() === "", words: [...words.values()] };
}

function queryWord(text: string, isName: boolean): QueryWord {
  return isName
    ? { text, state: [stateTerm(text)], ...queryTerms(text) }
    : { text, state: [], exact: [], nickname: [], phonetic: [], fuzzy: [] };
}
