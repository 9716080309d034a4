import { Type } from "typebox";
import { Login, LoginReply, Logout, Refresh, RefreshReply } from "#contracts/http/account.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { strict } from "#contracts/report/fields.ts";
import { ROLES, SIGNED_IN } from "#http/actor.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { checked, commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { devicesOf, keepDevices } from "./device.store.ts";
import type { Session } from "./session-start.ts";
import { signerOf } from "./session-start.ts";

const AUTH = "/prod/api/auth";

const checkLogin = checked(({ email, password }: Record<string, unknown>) => ({
  ...(email === undefined || email === "" ? { email: "Email is required" } : {}),
  ...(password === undefined || password === "" ? { password: "Password is required" } : {}),
}));

/** Builds the response to a sign-in. */
export function sessionReply({ user, token, refreshToken, deletionCanceled }: Session) {
  return { user, token, refreshToken, ...omitUndefined({ deletion_canceled: deletionCanceled }) };
}

/** Registers the routes for signing in and out. */
export function accountRoutes(
  app: ServiceInstance,
  { sessions, signInLinks: links }: WriteSide,
): void {
  const sign = signerOf(app);
  const command = commandsOf(app, "accounts");
  command("POST", `${AUTH}/login`, {
    roles: ROLES,
    limit: "sign_in",
    summary: "Sign in",
    body: Login,
    reply: LoginReply,
    tidy: [checkLogin],
    async run(request, response) {
      const signedIn = await sessions.signIn(
        { ...request.body, devices: devicesOf(request) },
        request.caller,
        sign,
      );
      keepDevices(response, signedIn.devices);
      if ("challenge" in signedIn) {
        const { challenge, expiresAt: expires_at } = signedIn;
        return succeed({ challenge, expires_at });
      }
      return succeed(sessionReply(signedIn), { position: signedIn.position });
    },
  });
  command("POST", `${AUTH}/sign-in-link/:token`, {
    roles: ROLES,
    limit: "link",
    summary: "Recognize this browser, with the link from the email",
    params: strict({ token: Type.String({ minLength: 1, maxLength: 500 }) }),
    body: strict({}),
    reply: DoneReply,
    async run(request, response) {
      const secrets = await links.open(
        request.params.token,
        (id, body) => request.envelope(id, body),
        request.caller,
        devicesOf(request),
      );
      keepDevices(response, secrets);
      return done("Your account now recognizes this browser. Please sign in.");
    },
  });
  command("POST", `${AUTH}/refresh`, {
    roles: ROLES,
    limit: "session",
    summary: "Refresh a session",
    body: Refresh,
    reply: RefreshReply,
    async run(request) {
      const { refreshToken } = request.body;
      return succeed(await sessions.refresh(refreshToken, request.caller, sign));
    },
  });
  command("POST", `${AUTH}/logout`, {
    roles: SIGNED_IN,
    limit: "session",
    summary: "Sign out",
    body: Logout,
    reply: DoneReply,
    async run(request) {
      const scope = request.body.all ? "all" : "session";
      return done("You're signed out", await sessions.signOut(scope, request.caller));
    },
  });
}
