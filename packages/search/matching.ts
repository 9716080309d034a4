/**
 * Who and what matches, for every search engine and for the groups of reports about one person.
 * All of it is pure. An engine stores `indexedText` and looks up what `analyseQuery` gives.
 */

export { type Highlights, highlight, type Segment } from "./highlight.ts";
export {
  normaliseAccount,
  normaliseCard,
  normaliseEmail,
  normalisePhone,
  normaliseStreetZip,
} from "./identifiers.ts";
export {
  type BlindIndexes,
  connectedGroups,
  IDENTIFIERS,
  type Identifier,
  identifierOfKey,
  identityKeys,
  type KeyedReport,
  type NamedReport,
  personNameKey,
  sharesOf,
} from "./identity.ts";
export {
  type IndexedText,
  indexedText,
  type MatchKind,
  MIN_NAME_PART,
  matchKind,
  rankOf,
  type SearchableText,
  TIERS,
  type Tier,
  tiersOf,
} from "./match.ts";
export {
  nameTerms,
  nameWords,
  phoneticCodes,
  queryTerms,
  slips,
  storedTerms,
  type WordTerms,
} from "./name-terms.ts";
export { nicknameClasses } from "./nicknames.ts";
export { normaliseName, normaliseText, storable } from "./normalise.ts";
export {
  analyseQuery,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  type QueryAnalysis,
  type QueryWord,
  stateTerm,
} from "./query-analysis.ts";

/**
 * Goes up with every change to what `indexedText` computes: an index that was filled under another
 * version reports itself outdated, and is rebuilt.
 */
export const MATCHING_VERSION = 1;
