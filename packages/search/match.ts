import { nameTerms } from "./name-terms.ts";
import { normaliseName, normaliseText } from "./normalise.ts";
import { type QueryAnalysis, type QueryWord, stateTerm } from "./query-analysis.ts";

/** The way in which a word of a query is found in a document, best first. */
export const TIERS = ["exact", "nickname", "phonetic", "name_part", "text", "fuzzy"] as const;
export type Tier = (typeof TIERS)[number];

/** Why a document matches, as the public sees it; `text` is a part of a name or of any text. */
export type MatchKind = "exact" | "nickname" | "phonetic" | "fuzzy" | "text";

/** What of a document can be searched, besides its blind indexes. */
export interface SearchableText {
  readonly first_name: string;
  readonly last_name: string;
  readonly title: string;
  readonly description: string;
  readonly city: string;
  readonly state: string;
}

/** What an engine stores of a document in order to find it. */
export interface IndexedText {
  /** First and last name, normalised. */
  readonly name_text: string;
  /** Name, title, description and city, normalised, a line each. */
  readonly search_text: string;
  /** Terms of the name and of the state, see `WordTerms`. */
  readonly terms: readonly string[];
}

/** Computes what an engine stores. */
export function indexedText(document: SearchableText): IndexedText {
  const name_text = normaliseName(`${document.first_name} ${document.last_name}`);
  const texts = [document.title, document.description, document.city].map(normaliseText);
  return {
    name_text,
    search_text: [name_text, ...texts].join("\n"),
    terms: [...nameTerms(document.first_name, document.last_name), stateTerm(document.state)],
  };
}

/**
 * The shortest word that is looked for as a part of a name: shorter ones stand in almost every
 * name, and count as found in the text.
 */
export const MIN_NAME_PART = 3;

/** How each word of the query is found, in the query's order; undefined when one is not. */
export function tiersOf(query: QueryAnalysis, text: IndexedText): Tier[] | undefined {
  const terms = new Set(text.terms);
  const tiers: Tier[] = [];
  for (const word of query.words) {
    const tier = tierOf(word, text, terms);
    if (!tier) return undefined;
    tiers.push(tier);
  }
  return query.words.length === 0 && !query.blank ? undefined : tiers;
}

function tierOf(word: QueryWord, text: IndexedText, terms: Set<string>): Tier | undefined {
  const has = (term: string) => terms.has(term);
  if (word.exact.some(has)) return "exact";
  if (word.nickname.some(has)) return "nickname";
  if (word.phonetic.some(has)) return "phonetic";
  if (word.text.length >= MIN_NAME_PART && text.name_text.includes(word.text)) return "name_part";
  if (text.search_text.includes(word.text) || word.state.some(has)) return "text";
  if (word.fuzzy.some(has)) return "fuzzy";
  return undefined;
}

/** Order by relevance, 0 is best: the worst of the words decides, then all of them together. */
export function rankOf(tiers: readonly Tier[]): number {
  const numbers = tiers.map((tier) => TIERS.indexOf(tier));
  return Math.max(0, ...numbers) * 100 + numbers.reduce((sum, n) => sum + n, 0);
}

/** The match of a whole document: that of the word that is found worst. */
export function matchKind(tiers: readonly Tier[]): MatchKind {
  const worst = TIERS[Math.max(0, ...tiers.map((tier) => TIERS.indexOf(tier)))] ?? "exact";
  return worst === "name_part" ? "text" : worst;
}
