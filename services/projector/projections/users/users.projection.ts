import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import type { EventType } from "../../keyed/read-model.ts";
import { failedSignIns } from "./failed-sign-in-row.ts";
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
  });
}
