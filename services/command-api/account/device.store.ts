import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import { hashOfSecret, newSecret } from "../kernel/secrets.ts";

const HOUR_MS = 3_600_000;
/** How long an unused device stays known, in seconds. */
export const DEVICE_SECONDS = 90 * 24 * 3600;
/** Maximum number of devices that an account knows. The least recently used one is dropped. */
export const DEVICES_KEPT = 20;
/** Maximum number of secrets in a browser's cookie, one per account. The least recently used one is dropped. */
export const COOKIE_SECRETS = 5;
/** After this many wrong passwords in an hour, a known device counts as unknown. */
export const DEVICE_FAILURES = 20;

/** A browser that the account knows by one of the secrets in its cookie. */
export interface KnownDevice {
  readonly secret: string;
  /** How the account knows it; see `SessionStarted`. */
  readonly state: "known" | "linked";
}

/** Returns a cookie's secrets after one was used, with that one first. */
export function withFirst(secret: string, others: readonly string[]): readonly string[] {
  return [secret, ...others.filter((other) => other !== secret)].slice(0, COOKIE_SECRETS);
}

/** Stores the browsers that accounts know. Each has a secret in its cookie, which is stored as a hash. */
export class DeviceStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Counts an attempt from a browser that the account knows. {@link welcome} and {@link giveBack} undo that.
   * @param secrets the secrets of its cookie, which may be for other accounts.
   * @returns undefined for an unknown browser, and for one that failed too often.
   */
  async admit(
    accountId: string,
    secrets: readonly string[],
    nowMs: number,
  ): Promise<KnownDevice | undefined> {
    // The query also runs without a cookie, so that the response takes just as long.
    const { rows } = await this.#pool.query<{ hash: string; linked: boolean }>(
      `update command.device set
         attempts = case when attempts_since > $4 then attempts + 1 else 1 end,
         attempts_since = case when attempts_since > $4 then attempts_since else $3 end
       where account_id = $1 and hash = any($2) and last_used_at > $5
         and (attempts < $6 or attempts_since is null or attempts_since <= $4)
       returning hash, linked`,
      [
        accountId,
        secrets.map(hashOfSecret),
        new Date(nowMs),
        new Date(nowMs - HOUR_MS),
        idleSince(nowMs),
        DEVICE_FAILURES,
      ],
    );
    const [row] = rows;
    const secret = secrets.find((each) => hashOfSecret(each) === row?.hash);
    return row && secret ? { secret, state: row.linked ? "linked" : "known" } : undefined;
  }

  /** Whether the account knows the browser. Counts no attempt. */
  async knows(accountId: string, secrets: readonly string[], nowMs: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      "select from command.device where account_id = $1 and hash = any($2) and last_used_at > $3",
      [accountId, secrets.map(hashOfSecret), idleSince(nowMs)],
    );
    return (rowCount ?? 0) > 0;
  }

  /** Uncounts an attempt whose password was not found wrong. */
  async giveBack(accountId: string, secret: string): Promise<void> {
    await this.#pool.query(
      `update command.device set attempts = greatest(attempts - 1, 0)
       where account_id = $1 and hash = $2`,
      [accountId, hashOfSecret(secret)],
    );
  }

  /** Records a sign-in from a browser that the account knows. */
  async welcome(accountId: string, secret: string, nowMs: number): Promise<void> {
    await this.#pool.query(
      `update command.device set linked = false, last_used_at = $3, attempts = 0
       where account_id = $1 and hash = $2`,
      [accountId, hashOfSecret(secret), new Date(nowMs)],
    );
  }

  /**
   * Makes a browser known. It always gets a new secret, because one that it sends may have been planted by someone
   * else. Its previous secret for this account is removed.
   * @param brought the secrets of its cookie.
   * @returns the secrets for its cookie.
   */
  async add(
    accountId: string,
    from: "sign-in" | "link",
    nowMs: number,
    brought: readonly string[] = [],
  ): Promise<readonly string[]> {
    const secret = newSecret();
    await this.#pool.query(
      // The account may be replaced concurrently.
      `insert into command.device (account_id, hash, linked, last_used_at)
       select id, $2, $3, $4 from command.account where id = $1 for key share`,
      [accountId, hashOfSecret(secret), from === "link", new Date(nowMs)],
    );
    const { rows } = await this.#pool.query<{ hash: string }>(
      "delete from command.device where account_id = $1 and hash = any($2) returning hash",
      [accountId, brought.map(hashOfSecret)],
    );
    await this.#pool.query(
      `delete from command.device where account_id = $1 and hash in (
         select hash from command.device where account_id = $1
         order by last_used_at desc, hash offset $2)`,
      [accountId, DEVICES_KEPT],
    );
    const former = new Set(rows.map(({ hash }) => hash));
    return withFirst(
      secret,
      brought.filter((each) => !former.has(hashOfSecret(each))),
    );
  }

  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.device where last_used_at <= $1", [
      idleSince(nowMs),
    ]);
  }
}

const idleSince = (nowMs: number) => new Date(nowMs - DEVICE_SECONDS * 1000);

/** Cookie with the secrets by which accounts recognize a browser. Its prefix binds it to this site and TLS. */
export const DEVICE_COOKIE = "__Secure-device";
const SECRET = /^[\w-]{43}$/;

/** Returns the secrets in a request's cookie. */
export function devicesOf({ cookies }: FastifyRequest): readonly string[] {
  const secrets = cookies[DEVICE_COOKIE]?.split(".", COOKIE_SECRETS) ?? [];
  return secrets.filter((secret) => SECRET.test(secret));
}

/** Sets the browser's cookie. */
export function keepDevices(response: FastifyReply, secrets: readonly string[]): void {
  response.setCookie(DEVICE_COOKIE, secrets.join("."), {
    path: "/prod/api/auth",
    httpOnly: true,
    sameSite: "strict",
    secure: true,
    maxAge: DEVICE_SECONDS,
  });
}
