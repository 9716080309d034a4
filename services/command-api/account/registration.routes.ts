import type { FastifyRequest } from "fastify";
import { ACCOUNT_DONE } from "#contracts/account/account-messages.ts";
import { registrationProblems, tidyAccount } from "#contracts/account/account-rules.ts";
import { Register, RegisterReply, ResendConfirmation } from "#contracts/http/account.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import type { Payload } from "#contracts/report/submission-rules.ts";
import { ROLES, SIGNED_IN } from "#http/actor.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { checked, commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { devicesOf, keepDevices } from "./device.store.ts";
import { signerOf } from "./session-start.ts";

/** Normalizes a form that sends all of its fields, so that its own messages apply. */
export async function tidyForm(request: FastifyRequest): Promise<void> {
  const { body } = request;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return;
  request.body = tidyAccount(body as Payload);
}

/** Registers the routes for creating an account. */
export function registrationRoutes(
  app: ServiceInstance,
  { registration, profiles }: WriteSide,
): void {
  const sign = signerOf(app);
  const command = commandsOf(app, "accounts");
  command("POST", "/prod/api/auth/register", {
    roles: ROLES,
    limit: "register",
    summary: "Create an account and sign in",
    body: Register,
    reply: RegisterReply,
    tidy: [tidyForm, checked(registrationProblems)],
    async run(request, response) {
      const { body } = request;
      registration.checkPassword(body);
      await app.limits.byMailbox(request, "register_mailbox", body.email);
      const { password: _, confirmPassword: __, ...kept } = body;
      const { position, devices, ...session } = await registration.register(
        body,
        request.envelope("", kept),
        devicesOf(request),
        sign,
      );
      keepDevices(response, devices);
      return succeed(session, { position });
    },
  });
  command("POST", "/prod/api/auth/resend-verification", {
    roles: SIGNED_IN,
    limit: "mail",
    summary: "Request another email to confirm your account's address",
    body: ResendConfirmation,
    reply: DoneReply,
    async run(request) {
      const position = await profiles.requestConfirmation(request.caller);
      return done(ACCOUNT_DONE.resent, position);
    },
  });
}
