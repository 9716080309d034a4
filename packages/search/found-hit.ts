import { highlight, indexedText, matchKind, tiersOf } from "./matching.ts";
import type { FoundDocument, SearchHit } from "./port.ts";
import { hasText, type SearchPlan } from "./search-plan.ts";

/**
 * The hit of a document that an engine found, with its match and highlights computed anew.
 * @param byBlind whether one of the blind indexes matched.
 */
export function hitOf(document: FoundDocument, byBlind: boolean, plan: SearchPlan): SearchHit {
  const hit = { id: document.id, document };
  if (!hasText(plan)) return { ...hit, highlights: {} };
  const tiers = tiersOf(plan.text, indexedText(document));
  const byText = tiers ? matchKind(tiers) : "text";
  return {
    ...hit,
    match: byBlind ? "exact" : byText,
    highlights: tiers ? highlight(plan.text, document, tiers) : {},
  };
}
