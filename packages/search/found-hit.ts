import {
  type Excerpts,
  highlight,
  matchKind,
  namedWords,
  normaliseName,
  termsOf,
  tiersIn,
} from "./matching.ts";
import type { FoundDocument, SearchHit } from "./port.ts";
import { hasText, type SearchPlan } from "./search-plan.ts";

/** What an engine says of a document that it found. */
export interface Finding {
  /** Whether one of the blind indexes matched. */
  readonly byBlind: boolean;
  /** Of each word of the query, whether the texts hold it: as a part of them or as a token. */
  readonly held: readonly boolean[];
}

/**
 * The hit of a document, with its match and highlights. The engine has looked into the texts, which
 * may be long; here it is the name that decides.
 * @param excerpts of the page that the hit stands on.
 */
export function hitOf(
  document: FoundDocument,
  { byBlind, held }: Finding,
  plan: SearchPlan,
  excerpts: Excerpts,
): SearchHit {
  const hit = { id: document.id, document };
  if (!hasText(plan)) return { ...hit, highlights: {} };
  const { first_name, last_name } = document;
  const words = namedWords(first_name, last_name);
  const tiers = tiersIn(plan.text, {
    name_text: normaliseName(`${first_name} ${last_name}`),
    terms: termsOf(words),
    holds: (_word, n) => held[n] === true,
  });
  const byText = tiers ? matchKind(tiers) : "text";
  return {
    ...hit,
    match: byBlind ? "exact" : byText,
    highlights: tiers ? highlight(plan.text, document, tiers, words, excerpts) : {},
  };
}
