import {
  type Excerpts,
  highlight,
  type MarkedTexts,
  matchKind,
  namedWords,
  normaliseName,
  termsOf,
  tiersIn,
} from "./matching.ts";
import type { SearchHit } from "./port.ts";
import { hasText, type SearchPlan } from "./search-plan.ts";

interface Finding {
  readonly id: string;
  /** The texts, as stored. */
  readonly texts: MarkedTexts;
  /** Whether one of the blind indexes matched. */
  readonly byBlind: boolean;
  /** For each word of the query, whether the texts contain it, as a part or as a token. */
  readonly held: readonly boolean[];
}

/**
 * Returns the hit for a document, with its match and highlights.
 * @param excerpts of the page that the hit is on.
 */
export function hitOf(
  { id, texts, byBlind, held }: Finding,
  plan: SearchPlan,
  excerpts: Excerpts,
): SearchHit {
  if (!hasText(plan)) return { id, highlights: {} };
  const { first_name, last_name } = texts;
  const words = namedWords(first_name, last_name);
  const tiers = tiersIn(plan.text, {
    name_text: normaliseName(`${first_name} ${last_name}`),
    terms: termsOf(words),
    holds: (_word, n) => held[n] === true,
  });
  const byText = tiers ? matchKind(tiers) : "text";
  return {
    id,
    match: byBlind ? "exact" : byText,
    highlights: tiers ? highlight(plan.text, texts, tiers, words, excerpts) : {},
  };
}
