import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Login, LoginReply, Logout, Refresh, RefreshReply } from "#contracts/http/auth.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { strict } from "#contracts/report/fields.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import type { Requests } from "../kernel/requests.ts";
import { COOKIE_SECRETS, DEVICE_SECONDS } from "./device.store.ts";
import type { SessionService, SignToken } from "./session.service.ts";
import type { SignInLinks } from "./sign-in-links.ts";

const ANYBODY = ["visitor", "user", "admin", "auditor"] as const;

const AUTH = "/prod/api/auth";
/** Cookie by which accounts recognise a browser, each by its own secret. It signs nobody in. */
const DEVICE = "device";
const SECRET = /^[\w-]{43}$/;

function devicesOf({ cookies }: FastifyRequest): readonly string[] {
  const secrets = cookies[DEVICE]?.split(".", COOKIE_SECRETS) ?? [];
  return secrets.filter((secret) => SECRET.test(secret));
}

function keepDevices(
  request: FastifyRequest,
  response: FastifyReply,
  secrets: readonly string[],
): void {
  response.setCookie(DEVICE, secrets.join("."), {
    path: AUTH,
    httpOnly: true,
    sameSite: "strict",
    secure: request.protocol === "https",
    maxAge: DEVICE_SECONDS,
  });
}

/** Signing in and out. */
export function accountRoutes(
  app: ServiceInstance,
  deps: {
    readonly sessions: SessionService;
    readonly links: SignInLinks;
    readonly requests: Requests;
    readonly sign: SignToken;
  },
): void {
  const { sessions, links, requests, sign } = deps;

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
      const { position, devices, ...session } = await sessions.signIn(
        { email, password, devices: devicesOf(request) },
        requests.caller(request),
        sign,
      );
      keepDevices(request, response, devices);
      requests.position(response, position);
      response.header("cache-control", "no-store");
      return succeed(session);
    },
  );

  app.post(
    "/prod/api/auth/sign-in-link/:token",
    {
      config: { roles: ANYBODY, limit: "link" },
      schema: {
        tags: ["accounts"],
        summary: "Make this browser known to an account by the link of a mail",
        params: strict({ token: Type.String({ minLength: 1, maxLength: 500 }) }),
        body: strict({}),
        response: { 200: DoneReply },
      },
    },
    async (request, response) => {
      const secrets = await links.open(
        request.params.token,
        (id, body) => requests.envelope(request, id, body),
        requests.caller(request),
        devicesOf(request),
      );
      keepDevices(request, response, secrets);
      response.header("cache-control", "no-store");
      return done("This browser is known to your account now. Please sign in.");
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
      return succeed(await sessions.refresh(request.body.refreshToken, caller, sign));
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
      // A call without a payload signs out as `{}` does.
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async (request, response) => {
      const scope = request.body.all ? "all" : "session";
      requests.position(response, await sessions.signOut(scope, requests.caller(request)));
      return done("You are signed out");
    },
  );
}
