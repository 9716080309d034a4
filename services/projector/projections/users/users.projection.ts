import { ACCOUNT_ENDS } from "#contracts/events/user/account-ends.ts";
import { LOG_STREAM } from "#event-store/log-epoch.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { KeyedRows } from "../../keyed/keyed-rows.ts";
import type { EventType } from "../../keyed/read-model.ts";
import { differencesOf, writeDifferences } from "../../keyed/tallies.ts";
import { failedSignIns } from "./failed-sign-in-row.ts";
import { figuresOf } from "./user-figures.ts";
import { users } from "./user-row.ts";

/** The accounts as staff see and search them, the sign-ins to them that failed, and how many there are. */
export function usersProjection(): Projection {
  return keyedProjection({
    name: "users",
    schema: projectedSchemas.users,
    models: [users, failedSignIns],
    filter: { streamPrefixes: ["user-", "session-", "security-", LOG_STREAM] },
    opens: true,
    erasedBy: ACCOUNT_ENDS as readonly EventType[],
    writesInto(schema, options) {
      const rows = new KeyedRows(users, schema, options);
      const failures = new KeyedRows(failedSignIns, schema, options);
      return async (client, batch) => {
        const changes = await rows.fold(client, batch);
        await rows.write(client, changes);
        await writeDifferences(client, schema, differencesOf(changes, figuresOf));
        await failures.write(client, await failures.fold(client, batch));
      };
    },
  });
}
