import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import { accounts, ENDED_BY } from "./account-row.ts";

/**
 * What each account is: profile, address, notifications, second factor, last sign-in. And how many
 * there are.
 */
export function accountsProjection(): Projection {
  return keyedProjection({
    name: "accounts",
    schema: projectedSchemas.accounts,
    models: [accounts],
    filter: { streamPrefixes: ["user-", "session-", LOG_STREAM] },
    opens: false,
    erasedBy: ENDED_BY,
  });
}
