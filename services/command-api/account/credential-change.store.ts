import type { Pool } from "pg";
import type { Role } from "#contracts/http/auth.ts";

export interface CredentialChange {
  readonly commandId: string;
  readonly accountId: string;
  /** A new password also lifts a ban. */
  readonly passwordHash?: string;
  /** Role of an account that is being added. */
  readonly role?: Role;
  readonly preparedAt: string;
}

/** Changes of credentials that wait for their events. Every change ends all sessions. */
export class CredentialChangeStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async prepare(change: CredentialChange): Promise<void> {
    const { commandId, accountId, passwordHash, role, preparedAt } = change;
    await this.#pool.query(
      `insert into command.credential_change
         (command_id, account_id, password_hash, role, prepared_at)
       values ($1, $2, $3, $4, $5)`,
      [commandId, accountId, passwordHash ?? null, role ?? null, preparedAt],
    );
  }

  /** Waiting changes of one account, or of all. */
  async waiting(
    accountId?: string,
  ): Promise<readonly Pick<CredentialChange, "commandId" | "accountId" | "preparedAt">[]> {
    const { rows } = await this.#pool.query<{
      command_id: string;
      account_id: string;
      prepared_at: Date;
    }>(
      `select command_id, account_id, prepared_at from command.credential_change
       where account_id = $1 or $1 is null order by prepared_at`,
      [accountId ?? null],
    );
    return rows.map((row) => ({
      commandId: row.command_id,
      accountId: row.account_id,
      preparedAt: row.prepared_at.toISOString(),
    }));
  }

  /**
   * Applies the change whose event has this revision in the account's stream. Does nothing if it
   * was applied before. When two passwords change, the one with the later event wins, whichever is
   * applied first.
   */
  async apply(commandId: string, revision: number, now: string): Promise<void> {
    await this.#pool.query(
      `with change as (
         delete from command.credential_change where command_id = $1
         returning account_id, password_hash, role,
           case when password_hash is not null then $2::int end as revision
       ), ended as (
         update command.session set ended_at = $3
         where ended_at is null and account_id in (select account_id from change)
       ), revoked as (
         update command.refresh_token set revoked_at = $3
         where revoked_at is null and account_id in (select account_id from change)
       )
       update command.account a set
         token_version = a.token_version + 1,
         password_hash = case when a.password_revision < c.revision
           then c.password_hash else a.password_hash end,
         role = case when a.password_revision < c.revision
           then coalesce(c.role, a.role) else a.role end,
         status = case when a.password_revision < c.revision then 'active' else a.status end,
         password_revision = greatest(a.password_revision, c.revision)
       from change c
       where a.id = c.account_id`,
      [commandId, revision, now],
    );
  }

  /** Drops a change that has no event, and its account if nothing else would complete it. */
  async drop(commandId: string): Promise<void> {
    await this.#pool.query(
      `with change as (
         delete from command.credential_change where command_id = $1 returning account_id
       )
       delete from command.account a using change c
       where a.id = c.account_id and a.status = 'adding' and not exists (
         select from command.credential_change o
         where o.account_id = a.id and o.command_id <> $1
       )`,
      [commandId],
    );
  }
}
