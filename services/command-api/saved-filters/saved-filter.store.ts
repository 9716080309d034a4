import type { Pool } from "pg";
import { savedFilterCell } from "#command-tables/files.ts";
import {
  MAX_SAVED_FILTERS,
  type SavedFilter,
  type SaveFilter,
} from "#contracts/http/list-exports.ts";
import { type Sealed, subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { openColumn, sealColumn } from "#vault/sealing/seal.ts";

type Named = Pick<SaveFilter, "name" | "filter">;

/** Stores accounts' saved filters. Rows are deleted with their account, and unreadable once its key is destroyed. */
export class SavedFilterStore {
  readonly #pool: Pool;
  readonly #keys: Pick<KeyStore, "get">;

  constructor(deps: { readonly pool: Pool; readonly keys: Pick<KeyStore, "get"> }) {
    this.#pool = deps.pool;
    this.#keys = deps.keys;
  }

  /** Adds a filter. No-op for an ID that exists. @returns false if the account has reached the limit. */
  async add(id: string, accountId: string, { list, ...named }: SaveFilter): Promise<boolean> {
    const sealed = await this.#seal(id, accountId, named);
    const { rowCount } = await this.#pool.query(
      `insert into command.saved_filter (id, account_id, list, sealed)
       select $1, $2, $3, $4::jsonb
       where (select count(*) from command.saved_filter where account_id = $2 and id <> $1) < $5
       on conflict (id) do update set id = excluded.id`,
      [id, accountId, list, JSON.stringify(sealed), MAX_SAVED_FILTERS],
    );
    return rowCount === 1;
  }

  /** @returns false if the account has no such filter. */
  async delete(id: string, accountId: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      "delete from command.saved_filter where id = $1 and account_id = $2",
      [id, accountId],
    );
    return rowCount === 1;
  }

  /** Returns an account's filters, oldest first; empty once its key is destroyed. */
  async of(accountId: string): Promise<SavedFilter[]> {
    const { rows } = await this.#pool.query<{
      id: string;
      list: SavedFilter["list"];
      sealed: Sealed;
    }>(
      `select id, list, sealed from command.saved_filter
       where account_id = $1 order by created_at, id`,
      [accountId],
    );
    if (rows.length === 0) return [];
    const subject = subjects.account(accountId);
    const found = (await this.#keys.get([subject])).get(subject);
    if (found?.state !== "present") return [];
    const { key } = found;
    return rows.map((row) => {
      const named = openColumn(key, row.sealed, savedFilterCell(row.id)) as unknown as Named;
      return { id: row.id, list: row.list, name: named.name, filter: named.filter };
    });
  }

  async #seal(id: string, accountId: string, { name, filter }: Named): Promise<Sealed> {
    const key = subjects.account(accountId);
    const found = (await this.#keys.get([key])).get(key);
    if (found?.state !== "present") throw new Error(`the key ${key} is ${found?.state}`);
    return sealColumn(found.key, { name, filter: { ...filter } }, { ...savedFilterCell(id), key });
  }
}
