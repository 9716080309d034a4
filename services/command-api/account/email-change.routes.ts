import { ACCOUNT_DONE } from "#contracts/account/account-messages.ts";
import {
  ChangeEmail,
  ConfirmEmailChange,
  ConfirmEmailChangeReply,
  UndoEmailChange,
  UndoEmailChangeReply,
  WithdrawEmailChange,
} from "#contracts/http/account.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { ROLES, SIGNED_IN } from "#http/actor.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { tidyForm } from "./registration.routes.ts";
import { signerOf } from "./session-start.ts";

const AUTH = "/prod/api/auth";

/** Registers the routes for changing one's own email address. */
export function emailChangeRoutes(app: ServiceInstance, { emailChanges, codes }: WriteSide): void {
  const sign = signerOf(app);
  const command = commandsOf(app, "accounts");
  command("POST", `${AUTH}/change-email`, {
    roles: SIGNED_IN,
    limit: "mail",
    proof: true,
    summary: "Request a link to change your email address",
    body: ChangeEmail,
    reply: DoneReply,
    tidy: [tidyForm],
    async run(request) {
      await app.limits.spend(request, "email_change");
      const { code, email } = request.body;
      const caller = request.caller;
      await codes.demand(code, caller);
      return done(ACCOUNT_DONE.emailAsked, await emailChanges.request(email, caller));
    },
  });
  command("DELETE", `${AUTH}/change-email`, {
    roles: SIGNED_IN,
    limit: "write",
    summary: "Cancel a pending change of email address",
    body: WithdrawEmailChange,
    reply: DoneReply,
    async run(request) {
      return done(ACCOUNT_DONE.emailKept, await emailChanges.withdraw(request.caller));
    },
  });
  command("POST", `${AUTH}/confirm-email-change`, {
    roles: SIGNED_IN,
    limit: "link",
    summary: "Change your address with the link from the email; ends other sessions",
    body: ConfirmEmailChange,
    reply: ConfirmEmailChangeReply,
    async run(request) {
      const confirmed = await emailChanges.confirm(request.body.token, request.caller, sign);
      const { position, ...tokens } = confirmed;
      return succeed(tokens, { message: ACCOUNT_DONE.emailChanged, position });
    },
  });
  command("POST", `${AUTH}/undo-email-change`, {
    roles: ROLES,
    limit: "link",
    summary: "Undo a change of address with the link from the email; ends all sessions",
    body: UndoEmailChange,
    reply: UndoEmailChangeReply,
    async run(request) {
      const { resetToken, position } = await emailChanges.undo(request.body.token, request.caller);
      return succeed(omitUndefined({ reset_token: resetToken }), {
        message: ACCOUNT_DONE.emailUndone,
        position,
      });
    },
  });
}
