import { hitOf } from "../found-hit.ts";
import type { Excerpts } from "../matching.ts";
import type { FoundDocument } from "../port.ts";
import type { PlacedHit, SearchPlan } from "../search-plan.ts";

/** A row of a page as `search-sql.ts` selects it; of an empty page one row with `id` null. */
export interface FoundRow {
  readonly total?: number;
  readonly negative_rank: number;
  readonly by_blind: boolean;
  readonly held: boolean[];
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly title: string;
  readonly description: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly amount_cents: string;
  readonly currency: string;
  readonly reasons: string[];
  readonly occurred_at: string | null;
  readonly submitted_ms: string;
  readonly approved_at: Date;
}

/** The hit of a row on a page, with its match and highlights. */
export function placedHit(row: FoundRow, plan: SearchPlan, excerpts: Excerpts): PlacedHit {
  const document = documentOf(row);
  const sortable = {
    negative_rank: row.negative_rank,
    submitted_ms: Number(row.submitted_ms),
    amount_cents: document.amount_cents,
  };
  return {
    hit: hitOf(document, { byBlind: row.by_blind, held: row.held }, plan, excerpts),
    key: { values: plan.order.values.map((value) => sortable[value]), id: row.id },
  };
}

function documentOf(row: FoundRow): FoundDocument {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    title: row.title,
    description: row.description,
    city: row.city,
    state: row.state,
    country: row.country,
    amount_cents: Number(row.amount_cents),
    currency: row.currency,
    reasons: row.reasons,
    ...(row.occurred_at === null ? {} : { occurred_at: row.occurred_at }),
    submitted_at: new Date(Number(row.submitted_ms)).toISOString(),
    approved_at: row.approved_at.toISOString(),
  };
}
