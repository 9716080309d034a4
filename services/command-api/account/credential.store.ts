import type { Pool, PoolClient } from "pg";
import { SESSION_IDLE_MS } from "#command-tables/account.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import type { Sealed } from "#contracts/sealed.ts";
import { type EventToAppend, type Revision, RevisionConflict } from "#event-store/port.ts";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import type { Decided } from "../kernel/handler.ts";

/** An address as stored in the tables. */
export interface StoredAddress {
  readonly sealed: Sealed;
  readonly blind: string;
}

/** Changes that a command makes to the tables beyond those in its events. */
export interface CredentialChange {
  readonly accountId: string;
  readonly adds?: true | undefined;
  readonly address?: StoredAddress | undefined;
  /** ID of an ended account whose address this one takes over. */
  readonly former?: string | undefined;
  /** Empty if the account cannot sign in with a password. */
  readonly passwordHash?: string | undefined;
  readonly forgetsDevices?: boolean | undefined;
  /** The session that survives when the others end, and the hash of its only refresh token. */
  readonly kept?: { readonly sessionId: string; readonly tokenHash: string } | undefined;
  /** Set if the change may remove an admin, which is refused if none would be left. */
  readonly unseats?: { readonly by: string | undefined } | undefined;
}

/** Events of an account or a session that are in the tables but may not be in the log yet. */
export interface OutboxRow {
  readonly stream: string;
  /** Sequence number within the stream. */
  readonly n: number;
  readonly events: readonly EventToAppend[];
}

export interface SessionEnding {
  readonly id: string;
  readonly accountId: string;
  readonly events: readonly EventToAppend[];
}

/** Stores accounts' credentials, and the outbox with the events of their changes. */
export class CredentialStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Changes the account's row and credentials to match its events, and puts the events in the outbox.
   * @returns undefined if there is no such account, or another one has the address.
   * @throws {RevisionConflict} if the account has changed since it was read.
   * @throws {DomainError} `last_admin`, `forbidden`: see {@link assertAdminsLeft}.
   */
  async change(
    change: CredentialChange & { readonly profile: Sealed | null },
    { state, batch, revision }: Decided<AccountState>,
    now: string,
  ): Promise<OutboxRow | undefined> {
    const { accountId, address, former, unseats } = change;
    const stream = streams.user(accountId);
    return inTransaction(this.#pool, async (client) => {
      if (unseats) await assertAdminsLeft(client, accountId, unseats.by);
      if (address) await lockUntilCommit(client, address.blind);
      if (former) await client.query("delete from command.account where id = $1", [former]);
      if (!(await lockRow(client, change, state, now))) return undefined;
      const newer = await client.query(
        `select from command.credential_outbox
         where stream = $1 and (revision is null or revision > $2)`,
        [stream, revision],
      );
      if (newer.rowCount) throw new RevisionConflict(stream, revision);
      const endsSessions = state.ends.some((end) => end.revision > revision);
      await setRow(client, change, state, endsSessions);
      if (endsSessions) await endSessions(client, change, now);
      if (change.forgetsDevices)
        await client.query("delete from command.device where account_id = $1", [accountId]);
      const { rows } = await client.query<{ n: number }>(
        `insert into command.credential_outbox (stream, n, account_id, events, made_at)
         select $1, coalesce(max(n), 0) + 1, $2, $3, $4
         from command.credential_outbox where stream = $1 returning n`,
        [stream, accountId, JSON.stringify(batch), now],
      );
      return { stream, n: rows[0]?.n ?? 0, events: batch };
    });
  }

  /**
   * Ends sessions, which voids their tokens, and puts their events in the outbox.
   * @returns how many it ended.
   */
  async endSessions(endings: readonly SessionEnding[], now: string): Promise<number> {
    const rows = endings.map(({ id, accountId, events }) => ({
      id,
      account_id: accountId,
      stream: streams.session(id),
      events,
    }));
    const { rowCount } = await this.#pool.query(
      `with asked as (
         select * from jsonb_to_recordset($1)
           as e(id uuid, account_id uuid, stream text, events jsonb)
       ), owner as (
         -- Before their sessions, as a deletion locks them.
         select id from command.account where id in (select account_id from asked) for key share
       ), ended as (
         update command.session s set ended_at = $2
         from asked e join owner on owner.id = e.account_id
         where s.id = e.id and s.account_id = owner.id and s.ended_at is null
         returning s.id, s.account_id, e.stream, e.events
       ), revoked as (
         update command.refresh_token set revoked_at = $2
         where revoked_at is null and family in (select id from ended)
       )
       insert into command.credential_outbox (stream, n, account_id, events, made_at)
       select stream, 1, account_id, events, $2 from ended`,
      [JSON.stringify(rows), now],
    );
    return rowCount ?? 0;
  }

  /** Returns a stream's rows whose events may not be in the log, oldest first. */
  async waiting(stream: string): Promise<readonly OutboxRow[]> {
    const { rows } = await this.#pool.query<OutboxRow>(
      `select stream, n, events from command.credential_outbox
       where stream = $1 and revision is null order by n`,
      [stream],
    );
    return rows;
  }

  /** Returns the streams that have such rows. */
  async streamsWaiting(): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ stream: string }>(
      `select stream from command.credential_outbox where revision is null
       group by stream order by min(made_at)`,
    );
    return rows.map(({ stream }) => stream);
  }

  /** Marks a row as delivered. @param revision of the row's last event in the stream. */
  async delivered({ stream, n }: OutboxRow, revision: Revision): Promise<void> {
    await this.#pool.query(
      "update command.credential_outbox set revision = $3 where stream = $1 and n = $2",
      [stream, n, revision],
    );
  }

  async drop({ stream, n }: OutboxRow): Promise<undefined> {
    await this.#pool.query("delete from command.credential_outbox where stream = $1 and n = $2", [
      stream,
      n,
    ]);
  }

  /** Marks every row as undelivered, so that it is checked against the log again. */
  async redeliver(): Promise<void> {
    await this.#pool.query("update command.credential_outbox set revision = null");
  }

  async sweep(before: Date): Promise<void> {
    await this.#pool.query(
      "delete from command.credential_outbox where revision is not null and made_at < $1",
      [before],
    );
  }
}

/** Locks the account's row until the end of the transaction. @returns whether it exists. */
async function lockRow(
  client: PoolClient,
  { accountId, adds, address }: CredentialChange,
  { role }: AccountState,
  now: string,
): Promise<boolean> {
  const { rowCount } = adds
    ? await client.query(
        `insert into command.account
           (id, email_sealed, email_blind, password_hash, role, status, created_at)
         values ($1, $2, $3, '', $4, 'active', $5) on conflict do nothing`,
        [accountId, JSON.stringify(address?.sealed), address?.blind, role, now],
      )
    : await client.query(
        `select from command.account where id = $1 and not exists (
           select from command.account o where o.email_blind = $2 and o.id <> $1)
         for update`,
        [accountId, address?.blind ?? null],
      );
  return rowCount === 1;
}

async function setRow(
  client: PoolClient,
  change: CredentialChange & { readonly profile: Sealed | null },
  state: AccountState,
  endsSessions: boolean,
): Promise<void> {
  const { accountId, passwordHash, address, profile } = change;
  await client.query(
    `update command.account set role = $2, status = $3, banned_until = $4, confirmed = $5,
       factor_id = $6, token_version = token_version + $7,
       password_hash = coalesce($8, password_hash),
       email_sealed = coalesce($9, email_sealed), email_blind = coalesce($10, email_blind),
       profile_sealed = $11
     where id = $1`,
    [
      accountId,
      ...statusColumns(state),
      state.confirmed,
      state.secondFactor?.factorId ?? null,
      endsSessions ? 1 : 0,
      passwordHash ?? null,
      address ? JSON.stringify(address.sealed) : null,
      address?.blind ?? null,
      profile && JSON.stringify(profile),
    ],
  );
}

/** Values of `role`, `status` and `banned_until`. */
export function statusColumns({
  role,
  closed,
  banned,
}: Pick<AccountState, "role" | "closed" | "banned">) {
  const status = closed ? "closed" : banned ? "banned" : "active";
  return [role, status, banned ? (banned.until ?? "infinity") : null] as const;
}

async function endSessions(
  client: PoolClient,
  { accountId, kept }: CredentialChange,
  now: string,
): Promise<void> {
  await client.query(
    `update command.session set ended_at = $3
     where account_id = $1 and ended_at is null and id is distinct from $2`,
    [accountId, kept?.sessionId ?? null, now],
  );
  await client.query(
    "update command.refresh_token set revoked_at = $2 where account_id = $1 and revoked_at is null",
    [accountId, now],
  );
  if (!kept) return;
  await client.query(
    `insert into command.refresh_token (hash, family, account_id, token_version, expires_at)
     select $3, s.id, a.id, a.token_version, least($4, s.expires_at)
     from command.account a join command.session s on s.id = $2 and s.account_id = a.id
     where a.id = $1 and s.ended_at is null`,
    [accountId, kept.sessionId, kept.tokenHash, new Date(Date.parse(now) + SESSION_IDLE_MS)],
  );
}

/**
 * Asserts that at least one other admin can sign in. The lock serializes concurrent changes, so that two cannot
 * both pass.
 * @param by the acting admin, who must still be one.
 * @throws {DomainError} `last_admin`, `forbidden`
 */
async function assertAdminsLeft(
  client: PoolClient,
  accountId: string,
  by: string | undefined,
): Promise<void> {
  await lockUntilCommit(client, "seats");
  const { rows } = await client.query<{ id: string }>(
    `select id from command.account
     where id <> $1 and role = 'admin' and status = 'active' and confirmed and password_hash <> ''
     order by id = $2::uuid desc nulls last limit 1`,
    [accountId, by ?? null],
  );
  const [first] = rows;
  if (!first)
    throw new DomainError(
      "last_admin",
      "There must always be another admin who can sign in. Nothing was changed.",
    );
  if (by && first.id !== by)
    throw new DomainError("forbidden", "Your own account is being changed. Nothing was changed.");
}
