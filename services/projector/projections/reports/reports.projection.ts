import type pg from "pg";
import type { ReportEvent } from "#contracts/events/index.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Batch, OpenedEvent, Projection } from "../../daemon/projection.ts";
import { KeyedRows, keyedProjection } from "../../keyed/keyed-projection.ts";
import { areEmpty } from "../../keyed/read-model.ts";
import type { Changes } from "../../keyed/tallies.ts";
import { deletedReport, reportOf } from "../../streams.ts";
import { ofReports } from "../of-reports.ts";
import { type AddressChange, writeAddresses } from "./address-book.ts";
import { reports } from "./report.ts";
import type { ReportRow } from "./report-row.ts";

/** Reports of every status, for public and moderators' lists and pages, their addresses and figures. */
export function reportsProjection(slugHash: SlugHasher): Projection {
  return {
    ...keyedProjection({
      ...ofReports,
      name: "reports",
      schema: projectedSchemas.reports,
      models: [reports],
      writesInto(schema, options) {
        const rows = new KeyedRows(reports, schema, options);
        return async (client, batch) => {
          const changes = await rows.apply(client, batch);
          await noteDeleted(client, schema, goneReports(changes, batch));
          await forgetDeleted(client, schema, changes);
          await writeAddresses(client, addressChanges(batch.events, slugHash), batch.epoch);
        };
      },
    }),
    isEmpty: (client) => areEmpty(client, ["reports.report", "reports.deleted_report"]),
  };
}

/** Returns reports whose row was removed or hidden, and those deleted after their row was gone. */
export function goneReports(
  { removed, changed }: Pick<Changes<ReportRow>, "removed" | "changed">,
  { events }: Pick<Batch, "events">,
): Set<string> {
  const gone = [...removed, ...events.flatMap(({ stored }) => deletedReport(stored) ?? [])];
  const isShown = (id: string) => changed.has(id) && !changed.get(id)?.deletion;
  return new Set(gone.filter((id) => !isShown(id)));
}

/** Forgets deletions that were undone. */
async function forgetDeleted(
  client: pg.ClientBase,
  schema: string,
  { loaded, changed }: Changes<ReportRow>,
): Promise<void> {
  const shown = [...changed.values()].filter(
    ({ id, deletion }) => !deletion && loaded.get(id)?.deletion,
  );
  if (shown.length === 0) return;
  await client.query(`delete from ${schema}.deleted_report where report_id = any($1::uuid[])`, [
    shown.map(({ id }) => id),
  ]);
}

async function noteDeleted(
  client: pg.ClientBase,
  schema: string,
  ids: ReadonlySet<string>,
): Promise<void> {
  if (ids.size === 0) return;
  await client.query(
    `insert into ${schema}.deleted_report select unnest($1::uuid[]) on conflict do nothing`,
    [[...ids]],
  );
}

/** Keyed hash of a slug. Uses the service key `slugs`. */
export type SlugHasher = (slug: string) => string;

/** Returns the events' address changes in order, including those of reports whose rows are erased. */
export function addressChanges(
  events: readonly OpenedEvent[],
  slugHash: SlugHasher,
): AddressChange[] {
  const changes: AddressChange[] = [];
  for (const { stored, event } of events) {
    const report_id = reportOf(stored.stream);
    const change = report_id && changeOf(event as ReportEvent, slugHash);
    if (!change) continue;
    const { position, metadata } = stored;
    changes.push({ report_id, position, at: metadata.time, ...change });
  }
  return changes;
}

function changeOf(event: ReportEvent, slugHash: SlugHasher) {
  switch (event.type) {
    case "ReportDeleted":
    case "ReportErased":
      return { kind: "gone" } as const;
    case "ReportDeletionUndone":
      return { kind: "back" } as const;
    case "ReportApproved":
    case "ReportPutBack":
    case "ReportEdited": {
      const { personal } = event.data;
      // An erased report's new address can't be read, but its earlier one is gone anyway.
      if (personal === null) return { kind: "gone" } as const;
      const slug = personal?.slug;
      return slug === undefined ? slug : ({ kind: "given", slug_hash: slugHash(slug) } as const);
    }
    default:
      return undefined;
  }
}
