import { OwnSession, SessionsReply } from "#contracts/http/sessions.ts";
import { subjects } from "#contracts/sealed.ts";
import { SIGNED_IN } from "#http/actor.ts";
import { shown, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ClientView } from "../actors/actor-names.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { clientOf, findSessions, type SessionRow } from "./sessions.queries.ts";

/** Where an account is signed in, for its owner. */
export function sessionRoutes(app: ServiceInstance, { db, keys, freshness }: ReadSide): void {
  // Where a session was used is in the audit tables.
  const read = reads(SIGNED_IN, "accounts", freshness.waitFor(["audit"], "one"));
  app.get(
    "/prod/api/auth/sessions",
    read({ summary: "Your sessions", reply: SessionsReply }),
    async ({ actor, log }) => {
      const { id, sessionId = "" } = actor;
      const [rows, found] = await Promise.all([
        findSessions(db, id, sessionId, new Date()),
        // Every signed-in caller acts under the account's own key.
        keys.get([subjects.account(id)]),
      ]);
      const sessions = rows.map((row) => present(row, sessionId, clientOf(row, found, log)));
      return succeed({ sessions });
    },
  );
}

function present(row: SessionRow, currentId: string, client: ClientView): OwnSession {
  const current = row.id === currentId;
  const { user_agent: device, ip_address: network } = client;
  return shown(OwnSession, { ...row, current, device, network });
}
