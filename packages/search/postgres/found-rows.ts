import { hitOf } from "../found-hit.ts";
import type { Excerpts, MarkedTexts } from "../matching.ts";
import type { PlacedHit, SearchPlan } from "../search-plan.ts";

/** A row of a page as `search-sql.ts` selects it; an empty page gives one row with `id` null. */
export interface FoundRow extends MarkedTexts {
  readonly total?: number;
  readonly negative_rank: number;
  readonly by_blind: boolean;
  readonly held: boolean[];
  readonly id: string;
  readonly amount_cents: string;
  readonly submitted_ms: string;
}

/** The hit for a row of a page, with its match and highlights. */
export function placedHit(row: FoundRow, plan: SearchPlan, excerpts: Excerpts): PlacedHit {
  const { id, by_blind: byBlind, held } = row;
  const sortable = {
    negative_rank: row.negative_rank,
    submitted_ms: Number(row.submitted_ms),
    amount_cents: Number(row.amount_cents),
  };
  return {
    hit: hitOf({ id, texts: row, byBlind, held }, plan, excerpts),
    key: { values: plan.order.values.map((value) => sortable[value]), id },
  };
}
