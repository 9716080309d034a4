import { createHmac, randomBytes, sign } from "node:crypto";
import { Type } from "typebox";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reply } from "#contracts/http/envelope.ts";
import { KeyStoreUnavailable } from "#vault/keys/key-store.ts";
import { publicKeyOf, SERVICE_KEYS, signingKey } from "#vault/keys/service-keys.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { TOKEN_LIFE } from "./auth.ts";
import { succeed } from "./envelope.ts";
import type { CallRefusal, ServiceInstance, ServiceOptions } from "./service.ts";
import { createTestService } from "./testing/test-service.ts";

const ADMIN = "6f1c2d34-1111-4222-8333-444455556666";
const NOW = new Date("2026-11-21T10:00:00.000Z");
const keys = createMemoryKeyStore();
const signer = await keys.liveKey("tokens");
const verifier = await keys.tokenVerifier();
const KEY = signer.current();
const SESSION = "6f1c2d34-5555-4666-8777-888899990000";
const account = { id: ADMIN, role: "admin", tokenVersion: 3, sessionId: SESSION } as const;

const apps: ServiceInstance[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function service(options: Partial<ServiceOptions> = {}) {
  const made = await createTestService({ tokens: { verifier, signer }, ...options });
  const { app, accounts } = made;
  apps.push(app);
  const Who = reply(
    Type.Object({ id: Type.String(), role: Type.String() }, { additionalProperties: false }),
  );
  const schema = { response: { 200: Who } };
  app.get(
    "/public",
    { config: { roles: ["visitor", "user", "admin", "auditor"], limit: "read" }, schema },
    async ({ actor }) => succeed({ ...actor }),
  );
  app.get("/admin", { config: { roles: ["admin"], limit: "read" }, schema }, async ({ actor }) =>
    succeed({ ...actor }),
  );
  app.get(
    "/proved",
    { config: { roles: ["admin"], limit: "read", proof: true }, schema },
    async ({ actor: { id, role } }) => succeed({ id, role }),
  );
  await app.ready();
  accounts.rows.set(ADMIN, { ...account, active: true });
  const ask = (url: string, authorization?: string) =>
    app.inject({ url, headers: authorization === undefined ? {} : { authorization } });
  const token =
    options.tokens?.signer || !options.tokens
      ? app.tokens.issue(account).token
      : forge(header, { ...claims });
  return { ...made, ask, token };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A forged token; `seed` is an Ed25519 private key. */
function forge(header: object, claims: object, seed: Buffer = KEY): string {
  const body = `${encode(header)}.${encode(claims)}`;
  return `${body}.${sign(null, Buffer.from(body), signingKey(seed).key).toString("base64url")}`;
}

/** A token signed with a shared secret, as in earlier versions. */
function forgeHmac(header: object, claims: object, secret: Buffer | string): string {
  const body = `${encode(header)}.${encode(claims)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

const seconds = Math.floor(Date.now() / 1000);
const claims = {
  sub: ADMIN,
  role: "admin",
  tokenVersion: 3,
  sid: SESSION,
  iss: "chargeback-registry",
  aud: "chargeback-registry-api",
  iat: seconds,
  exp: seconds + 600,
};
const { kid } = signingKey(KEY);
const header = { alg: "EdDSA", typ: "JWT", kid };
const publicPem = (await verifier.publicKey(kid)) ?? "";

describe("authentication", () => {
  it("treats a request without a token as coming from a visitor", async () => {
    const { ask } = await service();
    expect((await ask("/public")).json().data).toEqual({ id: "visitor", role: "visitor" });
  });

  it("accepts a valid token, including one built by hand with the right key", async () => {
    const { ask, token } = await service();
    for (const good of [`Bearer ${token}`, `bearer ${token}`, `Bearer ${forge(header, claims)}`])
      expect((await ask("/admin", good)).json().data).toEqual({ id: ADMIN, role: "admin" });
  });

  it.each([
    ["no scheme", forge(header, claims)],
    ["another scheme", "Basic YTpi"],
    ["nothing", ""],
    ["no token", "Bearer "],
    ["no JWT", "Bearer abc"],
    ["a signature cut off", `Bearer ${forge(header, claims).split(".").slice(0, 2).join(".")}.`],
    ["another key", `Bearer ${forge(header, claims, randomBytes(32))}`],
    ["another key's id", `Bearer ${forge({ ...header, kid: "of nobody" }, claims)}`],
    ["no key's id", `Bearer ${forge({ ...header, kid: undefined }, claims)}`],
    ["no algorithm", `Bearer ${forge({ ...header, alg: "none" }, claims)}`],
    [
      "the algorithm of earlier versions",
      `Bearer ${forgeHmac({ ...header, alg: "HS256" }, claims, KEY)}`,
    ],
    [
      "the public key as a secret",
      `Bearer ${forgeHmac({ ...header, alg: "HS256" }, claims, publicPem)}`,
    ],
    ["another issuer", `Bearer ${forge(header, { ...claims, iss: "x" })}`],
    ["another audience", `Bearer ${forge(header, { ...claims, aud: "x" })}`],
    ["no audience", `Bearer ${forge(header, { ...claims, aud: undefined })}`],
    ["no end", `Bearer ${forge(header, { ...claims, exp: undefined })}`],
    ["its end passed", `Bearer ${forge(header, { ...claims, exp: seconds - 1 })}`],
    ["a subject that is no UUID", `Bearer ${forge(header, { ...claims, sub: "1 or 1=1" })}`],
    [
      "a token version that is no number",
      `Bearer ${forge(header, { ...claims, tokenVersion: "3" })}`,
    ],
    ["no session", `Bearer ${forge(header, { ...claims, sid: undefined })}`],
    ["a session that is no UUID", `Bearer ${forge(header, { ...claims, sid: "x" })}`],
  ])("rejects a header with %s, even where visitors may call", async (_what, authorization) => {
    const { ask } = await service();
    for (const url of ["/public", "/admin"]) {
      const answer = await ask(url, authorization);
      expect([answer.statusCode, answer.json().error.code]).toEqual([401, "invalid_token"]);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
  });

  it("accepts a token for fifteen minutes", async () => {
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
    const { app, ask } = await service();
    const { token, expiresAt } = app.tokens.issue(account);
    expect(expiresAt).toBe("2026-11-21T10:15:00.000Z");
    vi.setSystemTime(NOW.getTime() + TOKEN_LIFE * 1000 - 1000);
    expect((await ask("/admin", `Bearer ${token}`)).statusCode).toBe(200);
    vi.setSystemTime(NOW.getTime() + TOKEN_LIFE * 1000 + 1000);
    expect((await ask("/admin", `Bearer ${token}`)).statusCode).toBe(401);
  });

  it("accepts tokens signed with the previous key until they expire", async () => {
    const keys = createMemoryKeyStore();
    const tokens = { verifier: await keys.tokenVerifier(), signer: await keys.liveKey("tokens") };
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
    const { app, ask, token } = await service({ tokens });
    const status = async (of: string) => (await ask("/admin", `Bearer ${of}`)).statusCode;
    await keys.replaceServiceKey("tokens", 0);
    const later = app.tokens.issue(account).token;
    const kidOf = (of: string) =>
      JSON.parse(Buffer.from(of.split(".")[0] ?? "", "base64url").toString()).kid;
    expect(kidOf(later)).not.toBe(kidOf(token));
    expect([await status(token), await status(later)]).toEqual([200, 200]);
    expect(SERVICE_KEYS.tokens).toBeGreaterThan(TOKEN_LIFE * 1000);
    vi.setSystemTime(NOW.getTime() + SERVICE_KEYS.tokens + 1000);
    expect(await tokens.verifier.publicKey(kidOf(token))).toBeUndefined();
  });

  it("rejects a previously accepted token once it has expired or its key is gone", async () => {
    let isGone = false;
    const publicKey = async (id: string) => (isGone ? undefined : verifier.publicKey(id));
    const { ask } = await service({ tokens: { verifier: { publicKey } } });
    const bearer = `Bearer ${forge(header, claims)}`;
    const status = async () => (await ask("/admin", bearer)).statusCode;
    expect([await status(), await status()]).toEqual([200, 200]);
    isGone = true;
    expect(await status()).toBe(401);
    isGone = false;
    vi.useFakeTimers({ toFake: ["Date"], now: claims.exp * 1000 + 1 });
    expect(await status()).toBe(401);
  });

  it("can't issue tokens with only the public key", async () => {
    const { app, ask, token } = await service({ tokens: { verifier } });
    expect((await ask("/admin", `Bearer ${token}`)).statusCode).toBe(200);
    expect(() => app.tokens.issue(account)).toThrow("does not sign");
  });

  it("rejects tokens signed with the public key as a shared secret", async () => {
    // A key that is not PEM, which a store might return someday: fast-jwt would treat it as an HMAC
    // secret.
    const spki = publicKeyOf(KEY).toString("base64");
    const { ask } = await service({ tokens: { verifier: { publicKey: async () => spki } } });
    const forged = forgeHmac({ ...header, alg: "HS256" }, claims, spki);
    expect((await ask("/admin", `Bearer ${forged}`)).statusCode).toBe(401);
  });

  it("answers 503, not 401, while public keys are unavailable", async () => {
    const away = { publicKey: () => Promise.reject(new KeyStoreUnavailable("away")) };
    const { ask } = await service({ tokens: { verifier: away } });
    expect((await ask("/public", `Bearer ${forge(header, claims)}`)).statusCode).toBe(503);
  });

  it("applies a ban, a deletion, an ended session and a role change on the next request", async () => {
    const { accounts, ask, token } = await service();
    const status = async (url: string) => (await ask(url, `Bearer ${token}`)).statusCode;
    expect(await status("/admin")).toBe(200);
    accounts.rows.set(ADMIN, { ...account, active: false });
    expect(await status("/admin")).toBe(401);
    accounts.rows.delete(ADMIN);
    expect(await status("/public")).toBe(401);
    accounts.rows.set(ADMIN, { ...account, tokenVersion: 4, active: true });
    expect(await status("/public")).toBe(401);
    accounts.rows.set(ADMIN, { ...account, sessionId: ADMIN, active: true });
    expect(await status("/public")).toBe(401);
    accounts.rows.set(ADMIN, { ...account, role: "user", active: true });
    expect(await status("/admin")).toBe(403);
    expect((await ask("/public", `Bearer ${token}`)).json().data.role).toBe("user");
  });

  it("answers 503, not 401, while accounts are unavailable", async () => {
    const accounts = {
      check: () => Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" })),
    };
    const { ask, token } = await service({ accounts });
    expect((await ask("/public", `Bearer ${token}`)).statusCode).toBe(503);
  });
});

describe("authorization", () => {
  it("asks visitors to sign in, and rejects accounts without a permitted role", async () => {
    const refused: Partial<CallRefusal>[] = [];
    const { accounts, ask, token } = await service({
      onCallRefused: async ({ request: _request, ...refusal }) => {
        refused.push(refusal);
      },
    });
    const visitor = await ask("/admin");
    expect([visitor.statusCode, visitor.json().error.code]).toEqual([401, "not_authenticated"]);
    accounts.rows.set(ADMIN, { ...account, role: "auditor", active: true });
    const auditor = await ask("/admin", `Bearer ${token}`);
    expect([auditor.statusCode, auditor.json().error.code]).toEqual([403, "forbidden"]);
    const call = { method: "GET", route: "/admin" };
    // A refused visitor is no sign of a stolen account.
    expect(refused).toEqual([
      { ...call, actor: { id: ADMIN, role: "auditor", sessionId: SESSION }, code: "forbidden" },
    ]);
  });

  it("requires the password again where the route says so, and records the refusal", async () => {
    const refused: string[] = [];
    const { accounts, ask, token } = await service({
      onCallRefused: async ({ code }) => void refused.push(code),
    });
    const proofs = async () => {
      const answer = await ask("/proved", `Bearer ${token}`);
      return [answer.statusCode, answer.json().error?.code];
    };
    expect(await proofs()).toEqual([403, "proof_required"]);
    accounts.rows.set(ADMIN, { ...account, active: true, proved: true });
    expect(await proofs()).toEqual([200, undefined]);
    expect((await ask("/proved")).statusCode).toBe(401);
    expect(refused).toEqual(["proof_required"]);
  });

  it("answers 503 when the refusal cannot be recorded", async () => {
    const onCallRefused = () => Promise.reject(new Error("no"));
    const { accounts, ask, lines, token } = await service({ onCallRefused });
    accounts.rows.set(ADMIN, { ...account, role: "auditor", active: true });
    expect((await ask("/admin", `Bearer ${token}`)).statusCode).toBe(503);
    expect((await ask("/admin")).statusCode).toBe(401);
    expect(lines.join("")).toContain("could not be recorded");
  });
});
