import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { EndCause } from "./session.commands.ts";
import { expiryOf } from "./session.decider.ts";

const DAY_MS = 24 * 3_600_000;
/** How long a session lives without being used. */
const IDLE_MS = 14 * DAY_MS;
/** How long a used token still works, so that two tabs may race. */
const RACE_MS = 10_000;
/** Sessions whose ends are logged in one batch. */
const ENDS = 500;

export interface NewSession {
  /** A random UUID. */
  readonly id: string;
  readonly accountId: string;
  /** The account's when its password was compared. */
  readonly tokenVersion: number;
  readonly clientHash: string | undefined;
  readonly nowMs: number;
}

/** A refresh token that is in force, and its session. */
export interface Held {
  readonly sessionId: string;
  readonly accountId: string;
  readonly tokenVersion: number;
  /** It was traded before, and no two tabs can be racing any more. */
  readonly reused: boolean;
  /** Null for a family from before sessions were kept. */
  readonly session: { readonly notedAt: Date; readonly clientHash: string | null } | null;
}

export type Exchange =
  | { readonly state: "exchanged"; readonly token: string }
  /** An old token came back: somebody else has it. Its session is ended. */
  | { readonly state: "reused" }
  | { readonly state: "refused" };

/** The end of a session that the log does not hold yet. */
export interface UnloggedEnd {
  readonly id: string;
  readonly accountId: string;
  readonly cause: EndCause;
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/**
 * Sessions and their refresh tokens, which are single use and stored as hashes. A session's row is
 * there before its first event and ended before its last: whatever the log says later, a token is
 * never good without its session, and an end counts at once.
 */
export class SessionStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Starts a session of an active account, and notes the sign-in.
   * @returns its first refresh token; undefined when the account changed since it was read.
   */
  async begin(session: NewSession): Promise<string | undefined> {
    const { id, accountId, tokenVersion, clientHash, nowMs } = session;
    const token = randomBytes(32).toString("base64url");
    const { rowCount } = await this.#pool.query(
      `with active as (
         update command.account set last_login_at = $4
         where id = $2 and token_version = $3 and status = 'active' returning id
       ), begun as (
         insert into command.session
           (id, account_id, started_at, last_used_at, noted_at, client_hash, expires_at)
         select $1, id, $4, $4, $4, $5, $6 from active
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
        hashOf(token),
        new Date(nowMs + IDLE_MS),
      ],
    );
    return rowCount === 1 ? token : undefined;
  }

  /** Makes a family from before sessions were kept a session; nothing when it is one. */
  async adopt(session: Omit<NewSession, "tokenVersion">): Promise<void> {
    const { id, accountId, clientHash, nowMs } = session;
    await this.#pool.query(
      `insert into command.session
         (id, account_id, started_at, last_used_at, noted_at, client_hash, expires_at)
       values ($1, $2, $3, $3, $3, $4, $5)
       on conflict do nothing`,
      [id, accountId, new Date(nowMs), clientHash ?? null, expiryOf(nowMs)],
    );
  }

  /** What a refresh token belongs to; undefined when it is not in force. Changes nothing. */
  async look(token: string, nowMs: number): Promise<Held | undefined> {
    const { rows } = await this.#pool.query<{
      family: string;
      account_id: string;
      token_version: number;
      used_at: Date | null;
      noted_at: Date | null;
      client_hash: string | null;
    }>(
      `select t.family, t.account_id, t.token_version, t.used_at, s.noted_at, s.client_hash
       from command.refresh_token t left join command.session s on s.id = t.family
       where t.hash = $1 and t.revoked_at is null and t.expires_at > $2
         and s.ended_at is null and (s.expires_at > $2 or s.id is null)`,
      [hashOf(token), new Date(nowMs)],
    );
    const [row] = rows;
    return (
      row && {
        sessionId: row.family,
        accountId: row.account_id,
        tokenVersion: row.token_version,
        reused: isReuse(row.used_at, nowMs),
        session: row.noted_at && { notedAt: row.noted_at, clientHash: row.client_hash },
      }
    );
  }

  /** Records when the log last got a use of the session, and from which client. */
  async note(id: string, clientHash: string | undefined, nowMs: number): Promise<void> {
    await this.#pool.query(
      "update command.session set noted_at = $2, client_hash = $3 where id = $1",
      [id, new Date(nowMs), clientHash ?? null],
    );
  }

  /** Trades a token for the next of its session. */
  async exchange(token: string, nowMs: number): Promise<Exchange> {
    const now = new Date(nowMs);
    // One statement marks the token used, so that of two requests at once one sees the other.
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
      [hashOf(token), now],
    );
    const row = rows[0];
    if (!row?.in_force) return { state: "refused" };
    if (isReuse(row.used_at, nowMs)) {
      const ended = await this.end(row.family, "refresh_token_reused", nowMs);
      return { state: ended ? "reused" : "refused" };
    }
    const next = randomBytes(32).toString("base64url");
    const { rowCount } = await this.#pool.query(
      `with used as (
         update command.session set last_used_at = $2
         where id = $1 and ended_at is null and expires_at > $2 returning expires_at
       )
       insert into command.refresh_token (hash, family, account_id, token_version, expires_at)
       select $3, $1, $4, $5, least($6, expires_at) from used`,
      [row.family, now, hashOf(next), row.account_id, row.token_version, new Date(nowMs + IDLE_MS)],
    );
    return rowCount === 1 ? { state: "exchanged", token: next } : { state: "refused" };
  }

  /**
   * Ends a session: its tokens are void from here on.
   * @returns whether it had not ended.
   */
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

  /** Ends what was not used for too long or is too old. */
  async expire(nowMs: number): Promise<void> {
    await this.#pool.query(
      `update command.session set ended_at = $1,
         unlogged_end = case when expires_at <= $1 then 'expired' else 'idle' end
       where ended_at is null and (last_used_at <= $2 or expires_at <= $1)`,
      [new Date(nowMs), new Date(nowMs - IDLE_MS)],
    );
  }

  /** Some of the ends that the log does not hold yet. */
  async unloggedEnds(): Promise<readonly UnloggedEnd[]> {
    const { rows } = await this.#pool.query<{ id: string; account_id: string; cause: EndCause }>(
      `select id, account_id, unlogged_end as cause from command.session
       where ended_at is not null and unlogged_end is not null order by ended_at limit ${ENDS}`,
    );
    return rows.map(({ id, account_id: accountId, cause }) => ({ id, accountId, cause }));
  }

  /** The log holds the session's end. */
  async endLogged(id: string): Promise<void> {
    await this.#pool.query("update command.session set unlogged_end = null where id = $1", [id]);
  }

  /** Removes tokens that no exchange can use any more, and sessions that ended a day ago. */
  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.refresh_token where expires_at < $1", [
      new Date(nowMs),
    ]);
    // Tokens first: one without its session would count as a family from before.
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

  /** A session that nobody signed in to, for an hour: it has neither refresh token nor event. */
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

/** Whether a token that was used then is none of two tabs' that race. */
function isReuse(usedAt: Date | null, nowMs: number): boolean {
  return usedAt !== null && nowMs - usedAt.getTime() > RACE_MS;
}
