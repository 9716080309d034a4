import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { KeyedRows } from "../../keyed/keyed-rows.ts";
import { ofReports } from "../of-reports.ts";
import { regroup } from "./groups.ts";
import { members } from "./member.ts";

/** People who are reported more than once, and what they owe: groups of approved reports. */
export function offendersProjection(): Projection {
  return keyedProjection({
    ...ofReports,
    name: "offenders",
    schema: projectedSchemas.offenders,
    models: [members],
    writesInto(schema, options) {
      const rows = new KeyedRows(members, schema, options);
      return async (client, batch) => {
        const changes = await rows.fold(client, batch);
        await rows.write(client, await regroup(client, schema, changes));
      };
    },
  });
}
