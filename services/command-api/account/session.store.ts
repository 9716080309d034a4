import type { Pool } from "pg";
import { SESSION_IDLE_MS as IDLE_MS } from "#command-tables/account.ts";
import { hashOfSecret, newSecret } from "../kernel/secrets.ts";
import type { SessionEnd } from "./credentials.ts";
import { type EndCause, expiryOf } from "./session.decider.ts";

const DAY_MS = 24 * 3_600_000;
/** How long a used token still works, so that two tabs can race. */
const RACE_MS = 10_000;
/** How many sessions are ended per page. */
export const ENDS_PAGE = 500;

export interface NewSession {
  readonly id: string;
  readonly accountId: string;
  /** Token version of the account when its password was verified. */
  readonly tokenVersion: number;
  readonly clientHash: string | undefined;
  readonly nowMs: number;
}

/** A valid refresh token, and its session. */
export interface ValidRefreshToken {
  readonly sessionId: string;
  readonly accountId: string;
  readonly tokenVersion: number;
  /** Whether it has been exchanged before, too long ago for a race between two tabs. */
  readonly reused: boolean;
  /** Whether its owner has been idle for longer than staff may be. A refresh does not count as activity. */
  readonly isIdle: boolean;
  /** When and from which client the log last recorded a use. */
  readonly notedAt: Date;
  readonly clientHash: string | null;
}

export type Exchange =
  | { readonly state: "exchanged"; readonly token: string }
  /** An old token was used again, so someone else has it. */
  | { readonly state: "reused" }
  | { readonly state: "refused" };

/** How many minutes staff can be idle before they must sign in again. */
export type StaffIdleMinutes = () => number;

/**
 * Stores sessions and their refresh tokens, which work once and are stored as hashes. A session's row exists before
 * its first event, so no token is ever valid without its session.
 */
export class SessionStore {
  readonly #pool: Pool;
  readonly #staffIdleMinutes: StaffIdleMinutes;

  constructor(pool: Pool, staffIdleMinutes: StaffIdleMinutes) {
    this.#pool = pool;
    this.#staffIdleMinutes = staffIdleMinutes;
  }

  /** Starts and records a session. @returns its first refresh token; undefined if the account has changed. */
  async begin(session: NewSession): Promise<string | undefined> {
    const { id, accountId, tokenVersion, clientHash, nowMs } = session;
    const token = newSecret();
    const { rowCount } = await this.#pool.query(
      `with active as (
         update command.account set last_login_at = $4
         where id = $2 and token_version = $3 and status = 'active' returning id
       ), begun as (
         insert into command.session
           (id, account_id, started_at, last_used_at, noted_at, client_hash, expires_at, proved_at)
         select $1, id, $4, $4, $4, $5, $6, $4 from active
       )
       insert into command.refresh_token (hash, family, account_id, token_version, expires_at)
       select $7, $1, id, $3, $8 from active`,
      [
        id,
        accountId,
        tokenVersion,
        new Date(nowMs),
        clientHash ?? null,
        expiryOf(nowMs),
        hashOfSecret(token),
        new Date(nowMs + IDLE_MS),
      ],
    );
    return rowCount === 1 ? token : undefined;
  }

  /** Returns the session of a refresh token without changing anything; undefined if the token is not valid. */
  async look(token: string, nowMs: number): Promise<ValidRefreshToken | undefined> {
    const { rows } = await this.#pool.query<
      Omit<ValidRefreshToken, "reused"> & { usedAt: Date | null }
    >(
      `select t.family as "sessionId", t.account_id as "accountId",
         t.token_version as "tokenVersion", t.used_at as "usedAt", s.noted_at as "notedAt",
         s.client_hash as "clientHash",
         coalesce(s.active_at <= now() - make_interval(mins => $3::int), false) as "isIdle"
       from command.refresh_token t join command.session s on s.id = t.family
       where t.hash = $1 and t.revoked_at is null and t.expires_at > $2
         and s.ended_at is null and s.expires_at > $2`,
      [hashOfSecret(token), new Date(nowMs), this.#staffIdleMinutes()],
    );
    const [row] = rows;
    return row && { ...row, reused: isReuse(row.usedAt, nowMs) };
  }

  /** Records when the log last recorded a use of the session, and from which client. */
  async note(id: string, clientHash: string | undefined, nowMs: number): Promise<void> {
    await this.#pool.query(
      "update command.session set noted_at = $2, client_hash = $3 where id = $1",
      [id, new Date(nowMs), clientHash ?? null],
    );
  }

  /** Exchanges a token for the next one of its session. */
  async exchange(token: string, nowMs: number): Promise<Exchange> {
    const now = new Date(nowMs);
    // Marked as used in one statement, so that one of two concurrent requests sees the other.
    const { rows } = await this.#pool.query<{
      family: string;
      account_id: string;
      token_version: number;
      used_at: Date | null;
      in_force: boolean;
    }>(
      `with old as (select * from command.refresh_token where hash = $1 for update)
       update command.refresh_token t set used_at = coalesce(t.used_at, $2)
       from old where t.hash = old.hash
       returning old.family, old.account_id, old.token_version, old.used_at,
         old.revoked_at is null and old.expires_at > $2 as in_force`,
      [hashOfSecret(token), now],
    );
    const row = rows[0];
    if (!row?.in_force) return { state: "refused" };
    if (isReuse(row.used_at, nowMs)) return { state: "reused" };
    const next = newSecret();
    const { rowCount } = await this.#pool.query(
      `with used as (
         update command.session set last_used_at = $2
         where id = $1 and ended_at is null and expires_at > $2 returning expires_at
       )
       insert into command.refresh_token (hash, family, account_id, token_version, expires_at)
       select $3, $1, $4, $5, least($6, expires_at) from used`,
      [
        row.family,
        now,
        hashOfSecret(next),
        row.account_id,
        row.token_version,
        new Date(nowMs + IDLE_MS),
      ],
    );
    return rowCount === 1 ? { state: "exchanged", token: next } : { state: "refused" };
  }

  /** Records that the account's password was proved in the session. */
  async prove(id: string, nowMs: number): Promise<void> {
    await this.#pool.query(
      "update command.session set proved_at = $2 where id = $1 and ended_at is null",
      [id, new Date(nowMs)],
    );
  }

  /** Returns a page of open sessions, of all accounts or of one, most recently used first. @param but one to skip. */
  async open(cause: EndCause, accountId?: string, but?: string): Promise<readonly SessionEnd[]> {
    const { rows } = await this.#pool.query<SessionEnd>(
      `select id, account_id as "accountId", $1 as cause from command.session
       where ended_at is null and ($2::uuid is null or account_id = $2) and id is distinct from $3
       order by last_used_at desc, id limit ${ENDS_PAGE}`,
      [cause, accountId ?? null, but ?? null],
    );
    return rows;
  }

  /** Returns a page of open sessions that are idle for too long or too old. Staff sessions expire sooner. */
  async over(nowMs: number, accountId?: string): Promise<readonly SessionEnd[]> {
    const { rows } = await this.#pool.query<SessionEnd>(
      `select id, account_id as "accountId",
         case when expires_at <= $1 then 'expired' else 'idle' end as cause
       from command.session
       where ended_at is null and ($3::uuid is null or account_id = $3)
         and (last_used_at <= $2 or expires_at <= $1 or (active_at <= $4 and exists (
           select from command.account a where a.id = account_id and a.role <> 'user')))
       limit ${ENDS_PAGE}`,
      [
        new Date(nowMs),
        new Date(nowMs - IDLE_MS),
        accountId ?? null,
        new Date(nowMs - this.#staffIdleMinutes() * 60_000),
      ],
    );
    return rows;
  }

  /** Returns the owner of a session, and whether it has ended. */
  async find(
    id: string,
  ): Promise<{ readonly accountId: string; readonly isOver: boolean } | undefined> {
    const { rows } = await this.#pool.query(
      `select account_id as "accountId", ended_at is not null as "isOver"
       from command.session where id = $1`,
      [id],
    );
    return rows[0];
  }

  /** Deletes tokens that can no longer be exchanged, and sessions that ended over a day ago. */
  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.refresh_token where expires_at < $1", [
      new Date(nowMs),
    ]);
    await this.#pool.query(
      `with gone as (
         select id from command.session where ended_at < $1
       ), tokens as (
         delete from command.refresh_token where family in (select id from gone)
       )
       delete from command.session where id in (select id from gone)`,
      [new Date(nowMs - DAY_MS)],
    );
  }

  /** Creates a temporary session for one hour that no one signed in to, without refresh tokens or events. */
  async insertSystemSession(id: string, accountId: string, nowMs: number): Promise<void> {
    await this.#pool.query(
      `insert into command.session
         (id, account_id, started_at, last_used_at, noted_at, expires_at)
       values ($1, $2, $3, $3, $3, $4)`,
      [id, accountId, new Date(nowMs), new Date(nowMs + 3_600_000)],
    );
  }

  async takeBack(id: string): Promise<void> {
    await this.#pool.query("delete from command.session where id = $1", [id]);
  }
}

/** Whether the token was used too long ago for a race between two tabs. */
function isReuse(usedAt: Date | null, nowMs: number): boolean {
  return usedAt !== null && nowMs - usedAt.getTime() > RACE_MS;
}
