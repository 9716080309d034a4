import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { ACCOUNT_DONE } from "#contracts/account/account-messages.ts";
import { VerifyEmail, VerifyEmailReply } from "#contracts/http/account.ts";
import { DoneReply, reply } from "#contracts/http/envelope.ts";
import { ResendVerification, SubmitReply, SubmitReport } from "#contracts/http/reports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { missingFields, withoutEmpty } from "#contracts/report/submission-rules.ts";
import { REPORTERS, ROLES } from "#http/actor.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { commandsOf } from "../kernel/command-route.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { WriteSide } from "../write-side.ts";

const Id = strict({ id: ReportId });

/** Lets the form send all its fields, and reports missing ones with the form's own messages. */
async function tidySubmission(request: FastifyRequest): Promise<void> {
  request.body = withoutEmpty(request.body);
  const { body } = request;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return;
  const missing = missingFields(body as Record<string, unknown>);
  if (Object.keys(missing).length > 0) throw invalidRequest(missing);
}

/** The part that a retry must repeat, and that the log may store a MAC of. */
function withoutSecrets({ evidence, ...body }: SubmitReport): object {
  return evidence ? { ...body, evidence: evidence.map(({ id, name }) => ({ id, name })) } : body;
}

/** Adds the public routes about reports. */
export function reportRoutes(
  app: ServiceInstance,
  { reports, confirmations, views, background, head }: WriteSide,
): void {
  const command = commandsOf(app, "submitting");
  command("POST", "/prod/api/reports/submit", {
    roles: REPORTERS,
    limit: "submit",
    summary: "Submit a report",
    body: SubmitReport,
    reply: SubmitReply,
    tidy: [tidySubmission],
    async run(request) {
      const { body } = request;
      const envelope = request.envelope("", withoutSecrets(body));
      const { id, position, state, repeated } = await reports.submit(body, envelope);
      const message =
        "Report submitted successfully! Your report is being reviewed and will be posted soon.";
      const correction_token = reports.correctionToken(id, state);
      const data = { id, status: "pending" as const, number: reportNumber(id) };
      const confirmed = (ownSubject(envelope.caller) && state.verified) || undefined;
      const more = omitUndefined({ confirmed, correction_token, repeated });
      return succeed({ ...data, ...more }, { message, position });
    },
  });
  command("POST", "/prod/api/reports/:id/resend-verification", {
    roles: REPORTERS,
    limit: "mail",
    summary: "Resend the confirmation email",
    params: Id,
    body: ResendVerification,
    reply: DoneReply,
    async run(request) {
      const { id } = request.params;
      // The address isn't part of what a retry must repeat. Otherwise a refusal of another address under the same
      // key would reveal that the first one was right.
      const envelope = request.envelope(id, {});
      const command = { type: "ResendVerification", email: request.body.email } as const;
      background.run(() => reports.execute(id, command, envelope));
      // Decided after this reply, so that the caller can't learn whether the address was right.
      const message = "If this address belongs to the report, we've sent a new confirmation link.";
      // Not the command's own position: the head exists whether or not anything is appended.
      return done(message, await head());
    },
  });
  command("POST", "/prod/api/verify-email/:token", {
    roles: REPORTERS,
    limit: "link",
    // A password has up to 1,000 characters.
    bounds: { bodyBytes: 16 * 1024, values: 20, rows: 20 },
    summary: "Confirm the address of a reporter or an account with the link from the email",
    params: strict({ token: Type.String({ minLength: 1, maxLength: 500 }) }),
    body: VerifyEmail,
    reply: VerifyEmailReply,
    async run(request) {
      const { token } = request.params;
      const { password, start_over: startsOver } = request.body;
      const caller = request.caller;
      const envelope = (id: string) => request.envelope(id, {});
      const message = ACCOUNT_DONE.verified;
      const by = { password, startsOver };
      const account = await confirmations.open(token, by, envelope, caller);
      if (account) {
        const { resetToken: reset_token, position } = account;
        const next = reset_token ? "set_password" : "done";
        const data = { kind: "account", next, ...omitUndefined({ reset_token }) } as const;
        return succeed(data, { message, position });
      }
      const { position } = await reports.verifyByLink(token, envelope, caller.now);
      return succeed({ kind: "report", next: "done" } as const, { message, position });
    },
  });
  command("POST", "/prod/api/reports/:id/view", {
    roles: ROLES,
    limit: "view",
    tag: "public reports",
    summary: "Count a view of a report",
    params: Id,
    body: strict({}),
    reply: reply(strict({ counted: Type.Boolean() })),
    async run(request) {
      const { id } = request.params;
      // The reply doesn't reveal whether an unpublished report exists or existed.
      const isPublic = (await reports.load(id))?.status === "approved";
      if (isPublic) await views.record(id, request.ip, request.caller.now);
      return succeed({ counted: isPublic });
    },
  });
}
