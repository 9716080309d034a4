import type { Pool } from "pg";
import { SESSION_IDLE_MS } from "#command-tables/session.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { Role } from "#contracts/http/auth.ts";
import type { Sealed } from "#contracts/sealed.ts";
import { inTransaction } from "#runtime/db/transaction.ts";

/** An address as the tables hold it. */
export interface StoredAddress {
  readonly sealed: Sealed;
  readonly blind: string;
}

/**
 * By which a waiting change and its event know each other. Two requests under one Idempotency-Key have
 * one command id, and may ask for different things.
 */
export interface Attempt {
  readonly commandId: string;
  /** Of the request; empty for a change that a process of an earlier version noted. */
  readonly correlationId: string;
}

/** What the log says of a command. */
export interface Recorded {
  /** Of its last event. */
  readonly revision: number;
  /** Of its event that says something of the profile, or drops it. */
  readonly profileRevision?: number | undefined;
  /** Whether it drops the profile and the second factor of before. */
  readonly drops: boolean;
}

export interface CredentialChange extends Attempt {
  readonly accountId: string;
  /** Of the new password; empty for none, with which nobody signs in. */
  readonly passwordHash?: string | undefined;
  /** Of an account that is being added, or from here on with `changesRole`. */
  readonly role?: Role | undefined;
  readonly changesRole?: boolean | undefined;
  /** Whether nobody signs in from here on, until the ban ends; a former ban is replaced, or over. */
  readonly bans?: boolean | undefined;
  /** RFC 3339; absent when the ban has no end. */
  readonly bannedUntil?: string | undefined;
  /** The account is no admin afterwards who may act. Refused where no other one would be left. */
  readonly unseats?: { readonly by: string | undefined } | undefined;
  /** Whether the address is the account's from here on. */
  readonly confirms?: boolean | undefined;
  /** A ban stays; otherwise a new password lifts it. */
  readonly keepsStatus?: boolean | undefined;
  /** No session ends. */
  readonly keepsSessions?: boolean | undefined;
  /** No browser is known to the account from here on. */
  readonly forgetsDevices?: boolean | undefined;
  /** The second factor is another one from here on: `factorId`, or none without it. */
  readonly changesFactor?: boolean | undefined;
  readonly factorId?: string | undefined;
  /** Nobody signs in from here on, whatever else changes. */
  readonly closes?: boolean | undefined;
  /** An account that is closed is open again, or banned where it is. */
  readonly reopens?: boolean | undefined;
  /** The address is another one from here on. */
  readonly address?: StoredAddress | undefined;
  /** An account that is over, and leaves that address to this one. */
  readonly former?: string | undefined;
  /** The one session that does not end. It gets this refresh token alone. */
  readonly kept?: { readonly sessionId: string; readonly tokenHash: string } | undefined;
  readonly preparedAt: string;
}

/** A change that is not noted yet. */
export type NewCredentialChange = Omit<CredentialChange, keyof Attempt | "preparedAt">;

/** A change that waits for its event. */
export interface Waiting extends Attempt {
  readonly accountId: string;
  readonly preparedAt: string;
  /** Whether its account counts as no admin meanwhile. */
  readonly unseats: boolean;
}

/** Changes of credentials that wait for their events. */
export class CredentialChangeStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Notes a change. When the same command is sent again, it is noted again: which of the two is applied
   * is said by the event. An address is reserved by it.
   * @returns false when the account is not there any more, or the address is another one's.
   * @throws {DomainError} `last_admin`, `forbidden`: see {@link assertAdminsLeft}.
   */
  async prepare(change: CredentialChange): Promise<boolean> {
    const { address, former, unseats } = change;
    if (unseats)
      return inTransaction(this.#pool, async (client) => {
        await assertAdminsLeft(client, change.accountId, unseats.by);
        return this.#insert(client, change);
      });
    if (!address) return this.#insert(this.#pool, change);
    return inTransaction(this.#pool, async (client) => {
      await lockAddress(client, address.blind);
      if (former) await client.query("delete from command.account where id = $1", [former]);
      return this.#insert(client, change);
    });
  }

  async #insert(db: Pick<Pool, "query">, change: CredentialChange): Promise<boolean> {
    const { accountId, passwordHash, role, confirms, kept, preparedAt } = change;
    const { address, keepsStatus = false, keepsSessions = false } = change;
    const { forgetsDevices = false, changesFactor = false, factorId } = change;
    const { closes = false, reopens = false } = change;
    const { bans, bannedUntil, changesRole = false, unseats } = change;
    const { rowCount } = await db.query(
      `insert into command.credential_change
         (command_id, account_id, password_hash, role, confirms, keeps_status, keeps_sessions,
          forgets_devices, kept_session_id, kept_token_hash, prepared_at,
          changes_factor, factor_id, closes, email_sealed, email_blind, reopens,
          bans, banned_until, changes_role, unseats)
       select $1, id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
         $19, $20, $21
       from command.account where id = $2
         and not exists (select from command.account o where o.email_blind = $16 and o.id <> $2)
         and not exists (select from command.credential_change o
           where o.email_blind = $16 and o.account_id <> $2)
       for key share`,
      [
        idOf(change),
        accountId,
        passwordHash ?? null,
        role ?? null,
        confirms ?? null,
        keepsStatus,
        keepsSessions,
        forgetsDevices,
        kept?.sessionId ?? null,
        kept?.tokenHash ?? null,
        preparedAt,
        changesFactor,
        factorId ?? null,
        closes,
        address ? JSON.stringify(address.sealed) : null,
        address?.blind ?? null,
        reopens,
        bans ?? null,
        bannedUntil ?? null,
        changesRole,
        unseats !== undefined,
      ],
    );
    return rowCount === 1;
  }

  /** Waiting changes of one account or of all, or only those that take an admin away. */
  async waiting(
    of: { readonly accountId?: string | undefined; readonly unseats?: true } = {},
  ): Promise<readonly Waiting[]> {
    const { rows } = await this.#pool.query<{
      command_id: string;
      account_id: string;
      prepared_at: Date;
      unseats: boolean;
    }>(
      `select command_id, account_id, prepared_at, unseats from command.credential_change
       where (account_id = $1 or $1 is null) and (unseats or not $2) order by prepared_at`,
      [of.accountId ?? null, of.unseats ?? false],
    );
    return rows.map((row) => ({
      ...attemptOf(row.command_id),
      accountId: row.account_id,
      preparedAt: row.prepared_at.toISOString(),
      unseats: row.unseats,
    }));
  }

  /**
   * Applies a change whose event is in the log. Does nothing if it was applied before. When two
   * passwords change, the one with the later event wins, whichever is applied first.
   */
  async apply(
    attempt: Attempt,
    { revision, profileRevision, drops }: Recorded,
    now: string,
  ): Promise<void> {
    await this.#pool.query(
      `with change as (
         delete from command.credential_change where command_id = $1
         returning *, case when password_hash is not null then $2::int end as revision,
           bans is not null or (password_hash is not null and not keeps_status) as says_of_bans
       ), ended as (
         update command.session s set ended_at = $3 from change c
         where s.account_id = c.account_id and s.ended_at is null and not c.keeps_sessions
           and s.id is distinct from c.kept_session_id
       ), revoked as (
         update command.refresh_token t set revoked_at = $3 from change c
         where t.account_id = c.account_id and t.revoked_at is null and not c.keeps_sessions
       ), given as (
         insert into command.refresh_token (hash, family, account_id, token_version, expires_at)
         select c.kept_token_hash, s.id, a.id, a.token_version + 1, least($4, s.expires_at)
         from change c
           join command.account a on a.id = c.account_id
           join command.session s on s.id = c.kept_session_id and s.account_id = a.id
         where s.ended_at is null and c.kept_token_hash is not null
       ), forgotten as (
         delete from command.device d using change c
         where d.account_id = c.account_id and c.forgets_devices
       )
       update command.account a set
         token_version = a.token_version + case when c.keeps_sessions then 0 else 1 end,
         password_hash = case when a.password_revision < c.revision
           then c.password_hash else a.password_hash end,
         role = case
           when c.changes_role and a.role_revision < $2::int then c.role
           when not c.changes_role and a.password_revision < c.revision then coalesce(c.role, a.role)
           else a.role end,
         role_revision = case when c.changes_role
           then greatest(a.role_revision, $2::int) else a.role_revision end,
         status = case
           when c.closes and a.closing_revision < $2::int then 'closed'
           when c.reopens and a.status = 'closed' and a.closing_revision < $2::int
             then case when a.banned_until is null then 'active' else 'banned' end
           when a.status = 'closed' then a.status
           when c.bans is not null and a.ban_revision < $2::int
             then case when c.bans then 'banned' else 'active' end
           when c.revision is null then a.status
           when a.status = 'adding' then 'active'
           when c.says_of_bans and a.ban_revision < $2::int then 'active'
           else a.status end,
         banned_until = case when c.says_of_bans and a.ban_revision < $2::int
           then case when c.bans then coalesce(c.banned_until, 'infinity') end
           else a.banned_until end,
         ban_revision = case when c.says_of_bans
           then greatest(a.ban_revision, $2::int) else a.ban_revision end,
         -- Only while it is added does an address become unconfirmed.
         confirmed = case
           when c.confirms then true
           when not c.confirms and a.status = 'adding' then false
           else a.confirmed end,
         profile_revision = greatest(a.profile_revision, $6::int),
         -- A link that confirms an address from elsewhere drops the second factor.
         factor_id = case
           when a.factor_revision >= $2::int then a.factor_id
           when c.changes_factor then c.factor_id
           when $5 then null
           else a.factor_id end,
         factor_revision = case
           when c.changes_factor or $5
             then greatest(a.factor_revision, $2::int)
           else a.factor_revision end,
         closing_revision = case when c.closes or c.reopens
           then greatest(a.closing_revision, $2::int) else a.closing_revision end,
         email_sealed = case when a.email_revision < $2::int
           then coalesce(c.email_sealed, a.email_sealed) else a.email_sealed end,
         email_blind = case when a.email_revision < $2::int
           then coalesce(c.email_blind, a.email_blind) else a.email_blind end,
         email_revision = case when c.email_blind is not null
           then greatest(a.email_revision, $2::int) else a.email_revision end,
         password_revision = greatest(a.password_revision, c.revision)
       from change c
       where a.id = c.account_id`,
      [
        idOf(attempt),
        revision,
        now,
        new Date(Date.parse(now) + SESSION_IDLE_MS),
        drops,
        profileRevision ?? null,
      ],
    );
  }

  /** Drops a change that has no event, and its account if nothing else would complete it. */
  async drop(attempt: Attempt): Promise<void> {
    await this.#pool.query(
      `with change as (
         delete from command.credential_change where command_id = $1 returning account_id
       )
       delete from command.account a using change c
       where a.id = c.account_id and a.status = 'adding' and not exists (
         select from command.credential_change o
         where o.account_id = a.id and o.command_id <> $1
       )`,
      [idOf(attempt)],
    );
  }
}

/**
 * What the column `command_id` holds. A process of an earlier version writes the command's id alone, and
 * leaves alone what it does not know.
 */
function idOf({ commandId, correlationId }: Attempt): string {
  return correlationId ? `${commandId}:${correlationId}` : commandId;
}

function attemptOf(id: string): Attempt {
  const [commandId = "", correlationId = ""] = id.split(":");
  return { commandId, correlationId };
}

/** Of the lock under which admins are counted. */
const SEATS_LOCK = 4_140;

/** An admin who may sign in, and whom no waiting change takes away. */
const SEATED = `o.role = 'admin' and o.status = 'active' and o.confirmed and o.password_hash <> ''
  and not exists (select from command.credential_change c where c.account_id = o.id and c.unseats)`;

/**
 * One admin at least is left when this account is none any more. Changes that wait count as made, and
 * the lock lets one note its change after the other, so two that are decided at once cannot both pass.
 * @param by the admin who acts, who must still be one.
 * @throws {DomainError} `last_admin`, `forbidden`
 */
async function assertAdminsLeft(
  client: Pick<Pool, "query">,
  accountId: string,
  by: string | undefined,
): Promise<void> {
  await client.query("select pg_advisory_xact_lock($1)", [SEATS_LOCK]);
  const { rows } = await client.query<{ id: string }>(
    `select o.id from command.account o where o.id <> $1 and ${SEATED}
     order by o.id = $2::uuid desc nulls last limit 1`,
    [accountId, by ?? null],
  );
  const [first] = rows;
  if (!first)
    throw new DomainError(
      "last_admin",
      "There must always be another admin who can sign in. Nothing was changed.",
    );
  if (by && first.id !== by)
    throw new DomainError("forbidden", "Your own account is about to change. Nothing was changed.");
}

/**
 * Until the end of the transaction nobody else takes the address: accounts and changes that wait are in
 * two tables, and no index is unique across both.
 */
export async function lockAddress(client: Pick<Pool, "query">, blind: string): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [blind]);
}
