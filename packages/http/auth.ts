import jwt from "@fastify/jwt";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { PROOF_MINUTES } from "#contracts/account/deadlines.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { KeyStoreUnavailable, type LiveKey, type TokenVerifier } from "#vault/keys/key-store.ts";
import { signingKey } from "#vault/keys/service-keys.ts";
import { type Actor, type CallerRole, VISITOR } from "./actor.ts";
import { inputBounds } from "./bounds.ts";
import { messages } from "./errors.ts";

const ISSUER = "chargeback-registry";
const AUDIENCE = "chargeback-registry-api";
/** Lifetime of an access token, in seconds. */
export const TOKEN_LIFE = 15 * 60;
/** How long an entered password counts as proof, in seconds. */
export const PROOF_SECONDS = PROOF_MINUTES * 60;
/** How many verified tokens are cached (LRU). */
const TOKENS_REMEMBERED = 1000;

/** Looks up the account on every request, so that a ban takes effect on the next one. */
export interface AccountGate {
  /**
   * @param userId a UUID. @returns null if there is no such account, the token version differs, or the session
   * ended.
   */
  check(
    userId: string,
    tokenVersion: number,
    sessionId: string,
  ): Promise<{
    readonly role: Exclude<CallerRole, "visitor">;
    readonly active: boolean;
    /** Whether the password was entered in this session within the last {@link PROOF_SECONDS}. */
    readonly proved?: boolean;
    /** Whether this is staff without a second factor. */
    readonly lacksFactor?: boolean;
    /** Whether this is staff without the second factor that all staff routes require. */
    readonly needsFactor?: boolean;
  } | null>;
}

/** The account that a token names. */
export interface TokenSubject {
  readonly id: string;
  readonly role: Exclude<CallerRole, "visitor">;
  /** Incremented by anything that ends all of the account's sessions. */
  readonly tokenVersion: number;
  /** The session the token belongs to. The token becomes invalid when it ends. */
  readonly sessionId: string;
}

export interface TokenIssuer {
  /** Returns an access token and when it expires (RFC 3339). */
  issue(subject: TokenSubject): { readonly token: string; readonly expiresAt: string };
}

/** Keys to verify tokens and, if present, to sign them. */
export interface TokenKeys {
  readonly verifier: TokenVerifier;
  /** The service key `tokens`: an Ed25519 private key. Only command-api has it. */
  readonly signer?: LiveKey;
}

const CLAIMS = Compile(
  Type.Object({
    sub: Type.String({ format: "uuid" }),
    tokenVersion: Type.Integer({ minimum: 0 }),
    sid: Type.String({ format: "uuid" }),
    exp: Type.Integer(),
  }),
);

const HEADER = Compile(Type.Object({ header: Type.Object({ kid: Type.String() }) }));
const BEARER = /^Bearer [A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/i;

/** Sets up tokens: Ed25519 (RFC 8037), fifteen minutes, key ID in the header. Issuing needs a signer. */
export async function registerTokens(app: FastifyInstance, keys: TokenKeys): Promise<void> {
  const { verifier, signer } = keys;
  const signing = signer && (() => signingKey(signer.current()));
  await app.register(jwt, {
    secret: {
      public: async (_request: FastifyRequest, token: unknown) => {
        const kid = HEADER.Check(token) ? token.header.kid : "";
        const key = await verifier.publicKey(kid);
        if (key === undefined) throw new DomainError("invalid_token", messages.invalid_token);
        return key;
      },
      ...omitUndefined({ private: signing?.().key }),
    },
    decode: { complete: true },
    sign: { algorithm: "EdDSA", iss: ISSUER, aud: AUDIENCE, expiresIn: TOKEN_LIFE },
    verify: {
      // Otherwise the library infers the algorithm from the key format, and treats anything but PEM as an
      // HMAC secret.
      algorithms: ["EdDSA"],
      // A caller's next requests carry the same token, so its signature is checked only once while it is
      // valid. The key is looked up each time, so that removing a key invalidates its tokens.
      cache: TOKENS_REMEMBERED,
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      // The library doesn't check absent claims, so require each one.
      requiredClaims: ["iss", "aud", "sub", "exp", "iat", "role", "tokenVersion", "sid"],
    },
  });
  app.decorate("tokens", {
    issue({ id, role, tokenVersion, sessionId }) {
      if (!signing) throw new TypeError("this service does not sign tokens");
      const claims = { sub: id, role, tokenVersion, sid: sessionId };
      const token = app.jwt.sign(claims, signing());
      const { payload } = app.jwt.decode<{ payload: { exp: number } }>(token) as {
        payload: { exp: number };
      };
      return { token, expiresAt: new Date(payload.exp * 1000).toISOString() };
    },
  });
}

/**
 * Returns the sender of a request: a visitor if it has no header, else an account. @throws {DomainError}
 * `invalid_token`
 */
export async function identify(request: FastifyRequest, accounts: AccountGate): Promise<Actor> {
  const header = request.headers.authorization;
  if (header === undefined) return VISITOR;
  if (header.length > inputBounds.tokenLength)
    throw new DomainError("invalid_token", messages.invalid_token);
  const claims = BEARER.test(header) ? await verify(request) : undefined;
  if (!CLAIMS.Check(claims)) throw new DomainError("invalid_token", messages.invalid_token);
  const account = await accounts.check(claims.sub, claims.tokenVersion, claims.sid);
  if (!account?.active) throw new DomainError("invalid_token", messages.invalid_token);
  const { role, proved, lacksFactor, needsFactor } = account;
  return {
    id: claims.sub,
    role,
    sessionId: claims.sid,
    ...(proved ? { proved } : {}),
    ...(lacksFactor ? { lacksFactor } : {}),
    ...(needsFactor ? { needsFactor } : {}),
  };
}

/** Whether a staff caller may continue in the same session and role; for replies that outlast the token. */
export async function mayContinue(
  request: FastifyRequest,
  accounts: AccountGate,
): Promise<boolean> {
  const claims: unknown = request.user;
  if (!CLAIMS.Check(claims)) return false;
  const account = await accounts.check(claims.sub, claims.tokenVersion, claims.sid);
  return account?.active === true && !account.needsFactor && account.role === request.actor.role;
}

/** @returns undefined for an invalid token. @throws {KeyStoreUnavailable} */
async function verify(request: FastifyRequest): Promise<unknown> {
  try {
    return await request.jwtVerify();
  } catch (error) {
    if (error instanceof KeyStoreUnavailable) throw error;
    return undefined;
  }
}

/** @throws {DomainError} `not_authenticated` for a visitor, `forbidden` for an account. */
export function authorise(actor: Actor, roles: readonly CallerRole[]): void {
  if (roles.includes(actor.role)) return;
  const code = actor.role === "visitor" ? "not_authenticated" : "forbidden";
  throw new DomainError(code, messages[code]);
}

/** @throws {DomainError} `proof_required` if the caller hasn't entered the password recently. */
export function requireProof(actor: Actor): void {
  if (!actor.proved) throw new DomainError("proof_required", messages.proof_required);
}

/** @throws {DomainError} `second_factor_required` if the caller must set up a second factor first. */
export function requireFactor(actor: Actor): void {
  if (actor.needsFactor)
    throw new DomainError("second_factor_required", messages.second_factor_required);
}
