import { vacuumSoon } from "#runtime/db/vacuum-soon.ts";

/** Raised with every change of these tables. An older layout triggers a rebuild. */
export const SEARCH_SOURCE_LAYOUT = 3;

/**
 * `search_source.report`: the source of the search's documents, one row for each report that is
 * neither deleted nor erased. A report that is not public must not be in the index, so its texts
 * wait here, sealed, until it is approved. Only the projector reads it.
 */
export function createSearchSourceTables(schema: string): string {
  return `
    create table ${schema}.report (
      report_id uuid primary key,
      approved boolean not null,
      clear jsonb not null,
      texts jsonb not null,
      created_at timestamptz not null
    );
    ${vacuumSoon(`${schema}.report`)}
  `;
}
