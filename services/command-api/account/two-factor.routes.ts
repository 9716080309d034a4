import {
  ConfirmTwoFactor,
  ConfirmTwoFactorReply,
  DisableTwoFactorReply,
  LoginReply,
  LoginTwoFactor,
  RecoveryCodesReply,
  SetupTwoFactorReply,
  WithFactorCode,
} from "#contracts/http/account.ts";
import { strict } from "#contracts/report/fields.ts";
import { ROLES, SIGNED_IN } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { sessionReply } from "./account.routes.ts";
import { devicesOf, keepDevices } from "./device.store.ts";
import { signerOf } from "./session-start.ts";

const AUTH = "/prod/api/auth";
/** For owners only, with a recent password check. */
const own = {
  roles: SIGNED_IN,
  limit: "sign_in",
  tag: "accounts",
  proof: true,
} as const;

/** Registers the routes for managing one's second factor, and for the second step of a sign-in. */
export function twoFactorRoutes(
  app: ServiceInstance,
  { twoFactor, secondStep, codes }: WriteSide,
): void {
  const sign = signerOf(app);
  const command = commandsOf(app, "accounts");
  command("POST", `${AUTH}/login/two-factor`, {
    roles: ROLES,
    limit: "sign_in",
    summary: "Complete a sign-in with a two-factor code",
    body: LoginTwoFactor,
    reply: LoginReply,
    async run(request, response) {
      const session = await secondStep.finish(
        request.body,
        devicesOf(request),
        request.caller,
        sign,
      );
      keepDevices(response, session.devices);
      return succeed(sessionReply(session), { position: session.position });
    },
  });
  command("POST", `${AUTH}/two-factor/setup`, {
    ...own,
    summary: "Set up an authenticator app; a code confirms it",
    body: strict({}),
    reply: SetupTwoFactorReply,
    async run(request) {
      return succeed(await twoFactor.setUp(request.caller));
    },
  });
  command("POST", `${AUTH}/two-factor/confirm`, {
    ...own,
    summary: "Turn on two-factor authentication",
    body: ConfirmTwoFactor,
    reply: ConfirmTwoFactorReply,
    async run(request) {
      const done = await twoFactor.confirm(request.body.code, request.caller, sign);
      const { position, recoveryCodes, ...tokens } = done;
      return succeed({ ...tokens, recovery_codes: [...recoveryCodes] }, { position });
    },
  });
  command("DELETE", `${AUTH}/two-factor`, {
    ...own,
    summary: "Turn off two-factor authentication",
    body: WithFactorCode,
    reply: DisableTwoFactorReply,
    async run(request) {
      const caller = request.caller;
      await codes.demand(request.body.code, caller);
      const { position, ...tokens } = await twoFactor.disable(caller, sign);
      return succeed(tokens, { position });
    },
  });
  command("POST", `${AUTH}/two-factor/recovery-codes`, {
    ...own,
    summary: "Replace the recovery codes",
    body: WithFactorCode,
    reply: RecoveryCodesReply,
    async run(request) {
      const caller = request.caller;
      await codes.demand(request.body.code, caller);
      const done = await twoFactor.replaceCodes(caller);
      return succeed({ recovery_codes: [...done.recoveryCodes] }, { position: done.position });
    },
  });
}
