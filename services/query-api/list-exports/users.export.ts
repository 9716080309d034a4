import { afterRow, rowOfAfter } from "#contracts/http/keyset.ts";
import { ListedUser, UsersQuery } from "#contracts/http/users.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import { presentUser } from "../users/users.presenter.ts";
import { countUsers, type UserListRow, usersFrom } from "../users/users.queries.ts";
import { wantedOf } from "../users/wanted-users.ts";
import { columnsOf, type ExportedList, filterReader } from "./exported-list.ts";

const { search, status, role } = UsersQuery.properties;
const readFilter = filterReader({ search, status, role });

/** The admins' list of accounts. */
export function exportedUsers(db: ReadModelDatabase, blind: BlindIndexer): ExportedList {
  return {
    columns: columnsOf(ListedUser),
    async count(filter) {
      const wanted = wantedOf(readFilter(filter), blind);
      const [rows, [first]] = await Promise.all([
        countUsers(db, wanted),
        usersFrom(db, wanted, undefined, 1),
      ]);
      return { rows, first: first && placeOf(first) };
    },
    async page(filter, { from, limit }) {
      const wanted = wantedOf(readFilter(filter), blind);
      const after = from === undefined ? undefined : rowOfAfter(from);
      const found = await usersFrom(db, wanted, after, limit + 1);
      const next = found[limit];
      return {
        rows: found.slice(0, limit).map(presentUser),
        ...(next ? { next: placeOf(next) } : {}),
      };
    },
  };
}

function placeOf({ created_at, id }: UserListRow): string {
  return afterRow({ at: created_at.toISOString(), id });
}
