/** The matching rules, for every engine and for groups of reports. An engine stores `indexedText`. */

export { Excerpts, type Highlights, highlight, type Segment } from "./highlight.ts";
export {
  type BlindIndexes,
  blindEmails,
  connectedGroups,
  differencesOf,
  IDENTIFIERS,
  type Identifier,
  identifierKeys,
  identifierOfKey,
  identityKeys,
  type KeyedReport,
  type KnownPerson,
  mayName,
  type NamedReport,
  normaliseAccount,
  normaliseCard,
  normaliseEmail,
  normalisePhone,
  normaliseStreetZip,
  ownAddress,
  personNameKey,
  sharesOf,
} from "./identity.ts";
export {
  type Findable,
  type IndexedText,
  indexedText,
  type MarkedTexts,
  type MatchKind,
  matchKind,
  rankOf,
  type SearchableText,
  TIERS,
  type Tier,
  tiersIn,
  tiersOf,
} from "./match.ts";
export {
  type NameDifference,
  type NamedWord,
  nameDifference,
  namedWords,
  nameTerms,
  nameWords,
  phoneticCodes,
  queryTerms,
  storedTerms,
  termsOf,
  typoVariants,
  type WordTerms,
} from "./name-terms.ts";
export { nicknameClasses } from "./nicknames.ts";
export { normaliseName, normaliseText, storable } from "./normalise.ts";
export {
  analyzeQuery,
  isPart,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  type QueryAnalysis,
  type QueryWord,
  stateTerms,
} from "./query-analysis.ts";

/** Incremented with every change to what an engine stores. An index of another version is rebuilt. */
export const MATCHING_VERSION = 3;

/** Compares the version with which an index was filled to the current one. */
export function compareMatching(version: number | undefined): "same" | "earlier" | "later" {
  if (version === MATCHING_VERSION) return "same";
  return version !== undefined && version > MATCHING_VERSION ? "later" : "earlier";
}
