import { Login, LoginReply, Logout, Refresh, RefreshReply } from "#contracts/http/auth.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { done, succeed } from "#kit/http/envelope.ts";
import type { ServiceInstance } from "#kit/http/service.ts";
import { invalidRequest } from "#kit/http/validation.ts";
import type { Requests } from "../commands/caller.ts";
import type { AccountService, SignToken } from "./account.service.ts";

const ANYBODY = ["visitor", "user", "admin", "auditor"] as const;

/** Signing in and out. */
export function accountRoutes(
  app: ServiceInstance,
  deps: {
    readonly accounts: AccountService;
    readonly requests: Requests;
    readonly sign: SignToken;
    /** Blind index of an address, by which sign-ins to one account are counted. */
    readonly blindEmail: (email: string) => string;
  },
): void {
  const { accounts, requests, sign, blindEmail } = deps;

  app.post(
    "/prod/api/auth/login",
    {
      config: { roles: ANYBODY, limit: "sign_in" },
      schema: {
        tags: ["accounts"],
        summary: "Sign in",
        body: Login,
        response: { 200: LoginReply },
      },
      // The form's own words for what is missing.
      preValidation: async (request) => {
        const body = (request.body ?? {}) as Record<string, unknown>;
        const missing: Record<string, string> = {};
        if (body.email === undefined || body.email === "") missing.email = "Email is required";
        if (body.password === undefined || body.password === "") {
          missing.password = "Password is required";
        }
        if (Object.keys(missing).length > 0) throw invalidRequest(missing);
      },
    },
    async (request, response) => {
      const { email, password } = request.body;
      await app.limits.spend(request, "sign_in_account", blindEmail(email));
      const caller = requests.caller(request);
      const { position, ...session } = await accounts.signIn({ email, password }, caller, sign);
      requests.position(response, position);
      response.header("cache-control", "no-store");
      return succeed(session);
    },
  );

  app.post(
    "/prod/api/auth/refresh",
    {
      config: { roles: ANYBODY, limit: "session" },
      schema: {
        tags: ["accounts"],
        summary: "Go on with a session",
        body: Refresh,
        response: { 200: RefreshReply },
      },
    },
    async (request, response) => {
      const caller = requests.caller(request);
      response.header("cache-control", "no-store");
      return succeed(await accounts.refresh(request.body.refreshToken, caller, sign));
    },
  );

  app.post(
    "/prod/api/auth/logout",
    {
      config: { roles: ["user", "admin", "auditor"], limit: "session" },
      schema: {
        tags: ["accounts"],
        summary: "Sign out",
        body: Logout,
        response: { 200: DoneReply },
      },
    },
    async (request, response) => {
      const { refreshToken } = request.body;
      requests.position(response, await accounts.signOut(refreshToken, requests.caller(request)));
      return done("You are signed out");
    },
  );
}
