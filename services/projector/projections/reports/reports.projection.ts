import type pg from "pg";
import { projectedSchemas } from "#read-model/install.ts";
import type { Batch, Projection } from "../../daemon/projection.ts";
import type { Changes } from "../../keyed/fold-rows.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { KeyedRows } from "../../keyed/keyed-rows.ts";
import { areEmpty } from "../../keyed/projected-schema.ts";
import { differencesOf, writeDifferences } from "../../keyed/tallies.ts";
import { deletedReport } from "../../streams.ts";
import { ofReports } from "../of-reports.ts";
import { writeAddresses } from "./address-book.ts";
import { addressChanges, type SlugHasher } from "./address-changes.ts";
import { reports } from "./report.ts";
import { figuresOf } from "./report-figures.ts";
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
          const changes = await rows.fold(client, batch);
          await rows.write(client, changes);
          await writeDifferences(client, schema, differencesOf(changes, figuresOf));
          await noteDeleted(client, schema, goneReports(changes, batch));
          await writeAddresses(client, addressChanges(batch.events, slugHash), batch.epoch);
        };
      },
    }),
    isEmpty: (client) => areEmpty(client, ["reports.report", "reports.deleted_report"]),
  };
}

/** Reports whose row was removed, and those that are deleted after their row was gone. */
export function goneReports(
  { removed }: Pick<Changes<ReportRow>, "removed">,
  { events }: Pick<Batch, "events">,
): Set<string> {
  return new Set([...removed, ...events.flatMap(({ stored }) => deletedReport(stored) ?? [])]);
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
