import { ACCOUNT_DONE, RESET_EMAIL_MISSING } from "#contracts/account/account-messages.ts";
import { newPasswordProblems, RESET_PASSWORD } from "#contracts/account/password-rule.ts";
import {
  ChangePassword,
  ChangePasswordReply,
  ForgotPassword,
  ResetPassword,
} from "#contracts/http/account.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import type { Payload } from "#contracts/report/submission-rules.ts";
import { ROLES, SIGNED_IN } from "#http/actor.ts";
import { ACCOUNT_BOUNDS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { checked, commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { devicesOf } from "./device.store.ts";
import { tidyForm } from "./registration.routes.ts";
import { signerOf } from "./session-start.ts";

const checkAddress = checked(({ email }: Payload) =>
  email === undefined ? { email: RESET_EMAIL_MISSING } : {},
);

const checkReset = checked((body: Payload) => newPasswordProblems(body, RESET_PASSWORD));

const checkChange = checked((body: Payload) =>
  body.currentPassword === undefined
    ? { currentPassword: "Current password is a required field" }
    : newPasswordProblems(body),
);

/** Registers the routes for setting and changing passwords. */
export function passwordRoutes(app: ServiceInstance, { passwords, head }: WriteSide): void {
  const sign = signerOf(app);
  const command = commandsOf(app, "accounts");
  command("POST", "/prod/api/auth/forgot-password", {
    roles: ROLES,
    limit: "mail",
    summary: "Request an email with a link to set a password",
    body: ForgotPassword,
    reply: DoneReply,
    tidy: [tidyForm, checkAddress],
    async run(request) {
      const { email } = request.body;
      passwords.requestReset(email, devicesOf(request), request.caller, () =>
        app.limits.byMailbox(request, "reset_mailbox", email),
      );
      // Uses the head of the log, because there may be no event.
      return done(ACCOUNT_DONE.resetMail, await head());
    },
  });
  command("POST", "/prod/api/auth/reset-password", {
    roles: ROLES,
    limit: "link",
    bounds: ACCOUNT_BOUNDS,
    summary: "Set a password with the link from the email",
    body: ResetPassword,
    reply: DoneReply,
    tidy: [tidyForm, checkReset],
    async run(request) {
      const { token, password } = request.body;
      const position = await passwords.reset(token, password, request.caller);
      return done(ACCOUNT_DONE.reset, position);
    },
  });
  command("POST", "/prod/api/auth/change-password", {
    roles: SIGNED_IN,
    limit: "sign_in",
    bounds: ACCOUNT_BOUNDS,
    summary: "Change your password; ends all other sessions",
    body: ChangePassword,
    reply: ChangePasswordReply,
    tidy: [tidyForm, checkChange],
    async run(request) {
      const { position, ...tokens } = await passwords.change(request.body, request.caller, sign);
      return succeed(tokens, { message: ACCOUNT_DONE.changed, position });
    },
  });
}
