import type { Pool } from "pg";
import { SESSION_IDLE_MS as IDLE_MS } from "#command-tables/account.ts";
import { hashOfSecret, newSecret } from "../kernel/secrets.ts";
import { type EndCause, expiryOf } from "./session.decider.ts";

const DAY_MS = 24 * 3_600_000;
/** How long a used token still works, so that two tabs may race. */
const RACE_MS = 10_000;
/** Maximum number of sessions whose ends are recorded in one run. */
const ENDS = 500;

export interface NewSession {
  readonly id: string;
  readonly accountId: string;
  /** Token version of the account when its password was compared. */
  readonly tokenVersion: number;
  readonly clientHash: string | undefined;
  readonly nowMs: number;
}

/** A valid refresh token, and its session. */
export interface Held {
  readonly sessionId: string;
  readonly accountId: string;
  readonly tokenVersion: number;
  /** Whether it was exchanged before, too long ago for a race between two tabs. */
  readonly reused: boolean;
  /** Whether its owner has done nothing for as long as staff may; a refresh is nothing that they do. */
  readonly isIdle: boolean;
  /** When and from which client the log last recorded a use. */
  readonly notedAt: Date;
  readonly clientHash: string | null;
}

export type Exchange =
  | { readonly state: "exchanged"; readonly token: string }
  /** An old token was used again, so somebody else has it. Its session is ended. */
  | { readonly state: "reused" }
  | { readonly state: "refused" };

/** The end of a session that is not in the log yet. */
export interface UnloggedEnd {
  readonly id: string;
  readonly accountId: string;
  readonly cause: EndCause;
}

/** Minutes that staff may do nothing. */
export type StaffIdleMinutes = () => number;

/**
 * Sessions and their refresh tokens, which can be used once and are stored as hashes. A session's
 * row exists before its first event and ends before its last one. So no token is ever valid without
 * its session, and an end takes effect at once, even before the log holds it.
 */
export class SessionStore {
  readonly #pool: Pool;
  readonly #staffIdleMinutes: StaffIdleMinutes;

  constructor(pool: Pool, staffIdleMinutes: StaffIdleMinutes) {
    this.#pool = pool;
    this.#staffIdleMinutes = staffIdleMinutes;
  }

  /** Starts and records a session. @returns its first refresh token; undefined when the account has changed. */
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

  /** The session that a refresh token belongs to; undefined when it is not valid. Changes nothing. */
  async look(token: string, nowMs: number): Promise<Held | undefined> {
    const { rows } = await this.#pool.query<Omit<Held, "reused"> & { usedAt: Date | null }>(
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
    // Marked as used in one statement, so that of two concurrent requests one sees the other.
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
    if (isReuse(row.used_at, nowMs)) {
      const ended = await this.end(row.family, "refresh_token_reused", nowMs);
      return { state: ended ? "reused" : "refused" };
    }
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

  /** Ends a session. Its tokens are void from here on. @returns whether it had not ended before. */
  async end(id: string, cause: EndCause, nowMs: number): Promise<boolean> {
    const { rows } = await this.#pool.query(
      `with ended as (
         update command.session set ended_at = $3, unlogged_end = $2
         where id = $1 and ended_at is null returning id
       ), revoked as (
         update command.refresh_token set revoked_at = $3
         where revoked_at is null and family in (select id from ended)
       )
       select id from ended`,
      [id, cause, new Date(nowMs)],
    );
    return rows.length === 1;
  }

  /** Records that the account's password was shown in the session. */
  async prove(id: string, nowMs: number): Promise<void> {
    await this.#pool.query(
      "update command.session set proved_at = $2 where id = $1 and ended_at is null",
      [id, new Date(nowMs)],
    );
  }

  /** Ends an account's session, which keeps an earlier cause. @returns undefined for another's; null once logged. */
  async endOwn(
    id: string,
    accountId: string,
    nowMs: number,
  ): Promise<{ readonly unlogged: EndCause | null } | undefined> {
    const own = () =>
      this.#pool.query<{ unlogged: EndCause | null }>(
        `select unlogged_end as unlogged from command.session where id = $1 and account_id = $2`,
        [id, accountId],
      );
    if ((await own()).rowCount !== 1) return undefined;
    await this.expire(nowMs, accountId);
    await this.end(id, "ended_by_owner", nowMs);
    return (await own()).rows[0];
  }

  /** Ends all sessions of an account but one. @param most how many ended ones are returned, last used first. */
  async endOthers(
    accountId: string,
    keptId: string,
    nowMs: number,
    most: number,
  ): Promise<{ readonly ended: number; readonly ids: readonly string[] }> {
    await this.expire(nowMs, accountId);
    const { rows } = await this.#pool.query<{ id: string; ended: number }>(
      `with ended as (
         update command.session set ended_at = $3, unlogged_end = 'ended_by_owner'
         where account_id = $1 and id <> $2 and ended_at is null returning id, last_used_at
       ), revoked as (
         update command.refresh_token set revoked_at = $3
         where revoked_at is null and family in (select id from ended)
       )
       select id, count(*) over ()::int as ended from ended
       order by last_used_at desc, id limit $4`,
      [accountId, keptId, new Date(nowMs), most],
    );
    return { ended: rows[0]?.ended ?? 0, ids: rows.map(({ id }) => id) };
  }

  async endAll(cause: EndCause, nowMs: number): Promise<void> {
    const now = new Date(nowMs);
    await this.#pool.query(
      "update command.session set ended_at = $1, unlogged_end = $2 where ended_at is null",
      [now, cause],
    );
    await this.#pool.query(
      "update command.refresh_token set revoked_at = $1 where revoked_at is null",
      [now],
    );
  }

  /** Ends sessions, of one account or all, that were unused for too long or are too old. Staff have less time. */
  async expire(nowMs: number, accountId?: string): Promise<void> {
    await this.#pool.query(
      `update command.session set ended_at = $1,
         unlogged_end = case when expires_at <= $1 then 'expired' else 'idle' end
       where ended_at is null and ($3::uuid is null or account_id = $3)
         and (last_used_at <= $2 or expires_at <= $1 or (active_at <= $4 and exists (
           select from command.account a where a.id = account_id and a.role <> 'user')))`,
      [
        new Date(nowMs),
        new Date(nowMs - IDLE_MS),
        accountId ?? null,
        new Date(nowMs - this.#staffIdleMinutes() * 60_000),
      ],
    );
  }

  /** Some of the ends that are not in the log yet. */
  async unloggedEnds(): Promise<readonly UnloggedEnd[]> {
    const { rows } = await this.#pool.query<UnloggedEnd>(
      `select id, account_id as "accountId", unlogged_end as cause from command.session
       where ended_at is not null and unlogged_end is not null order by ended_at limit ${ENDS}`,
    );
    return rows;
  }

  /** Notes that a session's end is in the log. @param startedBefore spares a later one. @returns whether noted. */
  async endLogged(id: string, startedBefore?: Date): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `update command.session set unlogged_end = null
       where id = $1 and ($2::timestamptz is null or started_at < $2)`,
      [id, startedBefore ?? null],
    );
    return rowCount === 1;
  }

  /** How a session ended: undefined when it has not, a null cause when the log holds the end. */
  async endOf(id: string): Promise<{ readonly unlogged: EndCause | null } | undefined> {
    const { rows } = await this.#pool.query<{ unlogged: EndCause | null }>(
      `select unlogged_end as unlogged from command.session
       where id = $1 and ended_at is not null`,
      [id],
    );
    return rows[0];
  }

  /** Removes tokens that can no longer be exchanged, and sessions that ended a day ago. */
  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.refresh_token where expires_at < $1", [
      new Date(nowMs),
    ]);
    await this.#pool.query(
      `with gone as (
         select id from command.session where ended_at < $1 and unlogged_end is null
       ), tokens as (
         delete from command.refresh_token where family in (select id from gone)
       )
       delete from command.session where id in (select id from gone)`,
      [new Date(nowMs - DAY_MS)],
    );
  }

  /** A session for an hour that nobody signed in to, without refresh tokens or events. */
  async lend(id: string, accountId: string, nowMs: number): Promise<void> {
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
