import { Unsubscribe, UnsubscribeReply, UnsubscribeToken } from "#contracts/http/unsubscribe.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createUnsubscribeLinks, type UnsubscribeLinks } from "#vault/links/one-time-link.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import { linkInvalid } from "../report/report.decider.ts";
import type { WriteSide } from "../write-side.ts";

const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** Registers one-click unsubscribe (RFC 8058), the only route that accepts forms, which email providers send. */
export async function unsubscribeRoutes(app: ServiceInstance, side: WriteSide): Promise<void> {
  const unsubscribing = createUnsubscribeLinks(await side.keys.liveKey("unsubscribe"), side.blind);
  app.addContentTypeParser(FORMS, { parseAs: "string" }, async (_: unknown, body: string) =>
    readOneClick(body),
  );
  const command = commandsOf(app, "accounts");
  command("POST", "/prod/api/unsubscribe/:token", {
    roles: ROLES,
    limit: "unsubscribe",
    summary: "Turn emails off or on again with the link from an email",
    params: UnsubscribeToken,
    body: Unsubscribe,
    reply: UnsubscribeReply,
    async run(request) {
      const { params, body } = request;
      const { wanted } = body;
      const envelope = (id: string) => request.envelope(id, { wanted });
      const link = unsubscribing.readToken(params.token, request.caller.now);
      if (!link) throw linkInvalid();
      await setWanted(link, wanted, envelope, side);
      // The end of the log, whether or not something changed: the response must not reveal which.
      return succeed({ scope: link.scope, wanted }, { position: await side.store.head() });
    },
  });
}

/**
 * Turns emails off or on. No-op if the report or account is gone or has a new address, because then no such emails
 * go to the old one.
 * @param wanted false to turn them off.
 * @param envelope builds the envelope for the ID of the report or account.
 */
async function setWanted(
  { scope, id, isFor }: NonNullable<ReturnType<UnsubscribeLinks["readToken"]>>,
  wanted: boolean,
  envelope: (id: string) => CommandEnvelope,
  { handler, reports }: WriteSide,
): Promise<void> {
  if (scope === "report") {
    const report = (await handler.load(reportAggregate(id)))?.state;
    const email = report?.reporter?.reporter_email;
    if (email === undefined || !isFor(email)) return;
    const command = { type: "SetReporterNotifications", email, decisions: wanted } as const;
    await reports.execute(id, command, envelope(id));
    return;
  }
  const account = accountAggregate(id);
  const email = (await handler.load(account))?.state.profile?.email;
  if (email === undefined || !isFor(email)) return;
  const command = { type: "SetNotifications", email, set: { [scope]: wanted } } as const;
  await handler.execute(account, command, envelope(id));
}

const FIELD = "List-Unsubscribe";
const VALUE = "One-Click";
/** The field as a part of `multipart/form-data` (RFC 7578). */
const PART = new RegExp(
  `name="?${FIELD}"?[^\\r\\n]*\\r\\n(?:[^\\r\\n]+\\r\\n)*\\r\\n${VALUE}\\r\\n`,
  "i",
);

/**
 * Reads the form of RFC 8058, `List-Unsubscribe=One-Click`.
 * @returns the equivalent JSON body; empty for any other form.
 */
export function readOneClick(body: string): object {
  const isOneClick = new URLSearchParams(body).get(FIELD) === VALUE || PART.test(body);
  return isOneClick ? { wanted: false } : {};
}
