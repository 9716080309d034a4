import { given } from "#contracts/given.ts";
import type { SearchHit as ShownHit } from "#contracts/http/report-view.ts";
import type { SearchResult as ShownResult } from "#contracts/http/reports.ts";
import type { Highlights } from "#search/matching.ts";
import type { SearchHit, SearchResult } from "#search/port.ts";
import { presentSummary } from "../reports/reports.presenter.ts";
import type { PublicReportRow } from "../reports/reports.queries.ts";

/**
 * A page of results. A report is shown from its row: hits that are no longer public are left out,
 * and highlights are dropped from a text that has changed since.
 */
export function presentResult(
  result: SearchResult,
  rows: ReadonlyMap<string, PublicReportRow>,
): ShownResult {
  const { total, totalCapped, page, pages, next, previous } = result;
  const reports = result.hits.flatMap((hit) => {
    const row = rows.get(hit.id);
    return row ? [presentHit(hit, row)] : [];
  });
  return { reports, total, total_capped: totalCapped, page, pages, next, previous };
}

function presentHit(hit: SearchHit, row: PublicReportRow): ShownHit {
  const highlights = presentHighlights(hit.highlights, {
    name: `${row.first_name} ${row.last_name}`,
    title: row.title,
    description: row.description,
    city: row.city,
  });
  return {
    ...presentSummary(row),
    ...given({ match: hit.match }),
    ...(Object.keys(highlights).length > 0 ? { highlights } : {}),
  };
}

function presentHighlights(
  marked: Highlights,
  texts: Readonly<Record<keyof Highlights, string>>,
): NonNullable<ShownHit["highlights"]> {
  const shown: NonNullable<ShownHit["highlights"]> = {};
  for (const field of ["name", "title", "description", "city"] as const) {
    const segments = marked[field];
    if (segments?.map(({ text }) => text).join("") !== texts[field]) continue;
    shown[field] = segments.map(({ text, hit }) => ({ text, hit }));
  }
  return shown;
}
