import { nameTerms } from "./name-terms.ts";
import { normaliseName, normaliseText } from "./normalise.ts";
import {
  initialTerms,
  isPart,
  type QueryAnalysis,
  type QueryWord,
  shortWordTerms,
  stateTerms,
} from "./query-analysis.ts";

/** How a word of a query is found in a document, best first. */
export const TIERS = ["exact", "nickname", "phonetic", "name_part", "text", "fuzzy"] as const;
export type Tier = (typeof TIERS)[number];

/** Why a document matches, as shown to the public. `text`: a part of a name or of any text. */
export type MatchKind = "exact" | "nickname" | "phonetic" | "fuzzy" | "text";

/** The searchable part of a document, besides its blind indexes. */
export interface SearchableText {
  readonly first_name: string;
  readonly last_name: string;
  readonly title: string;
  readonly description: string;
  readonly city: string;
  readonly state: string;
}

/** The texts in which matches are marked. */
export type MarkedTexts = Omit<SearchableText, "state">;

/** What an engine stores of a document in order to find it. */
export interface IndexedText {
  /** First and last name, normalized. */
  readonly name_text: string;
  /** Name, title, description and city, normalized, one per line. */
  readonly search_text: string;
  /** Terms of the name (`WordTerms`), of the state, and of words that are only found whole. */
  readonly terms: readonly string[];
}

/** What determines how the words of a query are found in a document. */
export interface Findable {
  /** First and last name, normalized. */
  readonly name_text: string;
  readonly terms: ReadonlySet<string>;
  /** Whether the texts contain the n-th word of the query, as a part or as a token. */
  readonly holds: (word: QueryWord, n: number) => boolean;
}

/** Computes what an engine stores of a document. */
export function indexedText(document: SearchableText): IndexedText {
  const name_text = normaliseName(`${document.first_name} ${document.last_name}`);
  const texts = [document.title, document.description, document.city].map(normaliseText);
  const tokens = [name_text, ...texts].flatMap(shortWordTerms);
  return {
    name_text,
    search_text: [name_text, ...texts].join("\n"),
    terms: [
      ...nameTerms(document.first_name, document.last_name),
      ...stateTerms(document.state),
      ...new Set([...tokens, ...initialTerms(name_text)]),
    ],
  };
}

/** Returns how each word of the query is found, in query order; undefined if one is not found. */
export function tiersOf(query: QueryAnalysis, text: IndexedText): Tier[] | undefined {
  const terms = new Set(text.terms);
  return tiersIn(query, {
    name_text: text.name_text,
    terms,
    holds: (word) =>
      (isPart(word) && text.search_text.includes(word.text)) ||
      word.tokens.some((token) => terms.has(token)),
  });
}

/** Does the same after an engine has searched the texts. */
export function tiersIn(query: QueryAnalysis, document: Findable): Tier[] | undefined {
  const tiers: Tier[] = [];
  for (const [n, word] of query.words.entries()) {
    const tier = tierOf(word, n, document);
    if (!tier) return undefined;
    tiers.push(tier);
  }
  return query.words.length === 0 && !query.blank ? undefined : tiers;
}

function tierOf(word: QueryWord, n: number, document: Findable): Tier | undefined {
  const has = (term: string) => document.terms.has(term);
  if (word.exact.some(has)) return "exact";
  if (word.nickname.some(has)) return "nickname";
  if (word.phonetic.some(has)) return "phonetic";
  if (isPart(word) && document.name_text.includes(word.text)) return "name_part";
  if (document.holds(word, n)) return "text";
  if (word.fuzzy.some(has)) return "fuzzy";
  return undefined;
}

/** Returns the rank by relevance; 0 is best. The worst word decides, then all words together. */
export function rankOf(tiers: readonly Tier[]): number {
  const numbers = tiers.map((tier) => TIERS.indexOf(tier));
  return Math.max(0, ...numbers) * 100 + numbers.reduce((sum, n) => sum + n, 0);
}

/** Returns the match of a whole document, which is that of its worst word. */
export function matchKind(tiers: readonly Tier[]): MatchKind {
  const worst = TIERS[Math.max(0, ...tiers.map((tier) => TIERS.indexOf(tier)))] ?? "exact";
  return worst === "name_part" ? "text" : worst;
}
