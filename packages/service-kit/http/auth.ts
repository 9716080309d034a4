import jwt from "@fastify/jwt";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { type Actor, type CallerRole, VISITOR } from "./actor.ts";
import { DomainError, messages } from "./errors.ts";

const ISSUER = "chargeback-registry";
const AUDIENCE = "chargeback-registry-api";
/** Life of an access token, in seconds. */
export const TOKEN_LIFE = 15 * 60;

/** Says at every request how an account stands, so that a ban counts at the next one. */
export interface AccountGate {
  /**
   * @param userId a UUID.
   * @returns null when there is no such account, or its token version is another.
   */
  check(
    userId: string,
    tokenVersion: number,
  ): Promise<{ readonly role: Exclude<CallerRole, "visitor">; readonly active: boolean } | null>;
}

/** An account as its token names it. */
export interface TokenSubject {
  readonly id: string;
  readonly role: Exclude<CallerRole, "visitor">;
  /** Counted up by whatever ends all sessions of the account. */
  readonly tokenVersion: number;
}

export interface TokenIssuer {
  /** An access token, and when it ends (RFC 3339). */
  issue(subject: TokenSubject): { readonly token: string; readonly expiresAt: string };
}

export interface AuthOptions {
  /** The store's service key `tokens`. */
  readonly tokenKey: Buffer;
  readonly accounts: AccountGate;
}

const CLAIMS = Compile(
  Type.Object({
    sub: Type.String({ format: "uuid" }),
    tokenVersion: Type.Integer({ minimum: 0 }),
    exp: Type.Integer(),
  }),
);

/** Sets up tokens: one algorithm, one issuer, one audience, fifteen minutes. */
export async function registerTokens(app: FastifyInstance, tokenKey: Buffer): Promise<void> {
  await app.register(jwt, {
    secret: tokenKey,
    sign: { algorithm: "HS256", iss: ISSUER, aud: AUDIENCE, expiresIn: TOKEN_LIFE },
    verify: {
      algorithms: ["HS256"],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      // A claim that is absent is not checked: each of them has to be there.
      requiredClaims: ["iss", "aud", "sub", "exp", "iat", "role", "tokenVersion"],
    },
  });
  app.decorate("tokens", {
    issue({ id, role, tokenVersion }) {
      const token = app.jwt.sign({ sub: id, role, tokenVersion });
      const { exp } = app.jwt.decode<{ exp: number }>(token) ?? { exp: 0 };
      return { token, expiresAt: new Date(exp * 1000).toISOString() };
    },
  });
}

/**
 * Finds out who sends a request: a visitor without a header, an account with a valid token.
 * @throws {DomainError} `invalid_token`: a header that is no valid token is never a visitor.
 */
export async function identify(
  app: FastifyInstance,
  request: FastifyRequest,
  accounts: AccountGate,
): Promise<Actor> {
  const header = request.headers.authorization;
  if (header === undefined) return VISITOR;
  const [, token] = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i.exec(header) ?? [];
  const claims = token === undefined ? undefined : verify(app, token);
  if (!CLAIMS.Check(claims)) throw new DomainError("invalid_token", messages.invalid_token);
  const account = await accounts.check(claims.sub, claims.tokenVersion);
  if (!account?.active) throw new DomainError("invalid_token", messages.invalid_token);
  return { id: claims.sub, role: account.role };
}

function verify(app: FastifyInstance, token: string): unknown {
  try {
    return app.jwt.verify(token);
  } catch {
    return undefined;
  }
}

/** @throws {DomainError} `not_authenticated` for a visitor, `forbidden` for an account. */
export function authorise(actor: Actor, roles: readonly CallerRole[]): void {
  if (roles.includes(actor.role)) return;
  const code = actor.role === "visitor" ? "not_authenticated" : "forbidden";
  throw new DomainError(code, messages[code]);
}
