import { Type } from "typebox";
import { DoneReply } from "#contracts/http/envelope.ts";
import { ActivityReply, EndedSessionsReply, Prove } from "#contracts/http/sessions.ts";
import { strict } from "#contracts/report/fields.ts";
import { SIGNED_IN } from "#http/actor.ts";
import { SESSIONS_BOUNDS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

const AUTH = "/prod/api/auth";
const SESSIONS = `${AUTH}/sessions`;

/** Registers the routes for one's own sessions. */
export function sessionRoutes(
  app: ServiceInstance,
  { sessionEnds: ends, sessionProofs: proofs, settings }: WriteSide,
): void {
  const command = commandsOf(app, "accounts");
  command("POST", `${AUTH}/activity`, {
    roles: SIGNED_IN,
    limit: "session",
    summary: "Report activity; inactive staff must sign in again",
    body: strict({}),
    reply: ActivityReply,
    // The gate has recorded the activity, as it does for every staff request that writes.
    async run(request) {
      const { role } = request.caller.actor;
      return succeed(role === "user" ? {} : { idle_minutes: settings().sessionTimeout });
    },
  });
  command("POST", `${AUTH}/prove`, {
    roles: SIGNED_IN,
    limit: "sign_in",
    summary: "Confirm your password for actions that require it",
    body: Prove,
    reply: DoneReply,
    async run(request) {
      const { password } = request.body;
      return done("Password confirmed", await proofs.prove(password, request.caller));
    },
  });
  command("DELETE", `${SESSIONS}/:id`, {
    roles: SIGNED_IN,
    limit: "session",
    summary: "End one of your sessions",
    params: strict({ id: Type.String({ format: "uuid" }) }),
    body: strict({}),
    reply: DoneReply,
    async run(request) {
      const id = request.params.id.toLowerCase();
      return done("Session ended", await ends.one(id, request.caller));
    },
  });
  command("DELETE", SESSIONS, {
    roles: SIGNED_IN,
    limit: "session",
    summary: "Sign out everywhere else",
    bounds: SESSIONS_BOUNDS,
    body: strict({}),
    reply: EndedSessionsReply,
    async run(request) {
      const { ended, position } = await ends.others(request.caller);
      return succeed({ ended }, { message: "You're signed out everywhere else", position });
    },
  });
}
