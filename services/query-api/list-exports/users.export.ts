import { ListedUser, UsersQuery } from "#contracts/http/users.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { presentUser } from "../users/users.presenter.ts";
import { countUsers, usersFrom } from "../users/users.queries.ts";
import { wantedOf } from "../users/wanted-users.ts";
import { columnsOf, type ExportedList, filterReader, newestCreated } from "./exported-list.ts";

const { search, status, role } = UsersQuery.properties;
const readFilter = filterReader({ search, status, role });

/** The admins' list of accounts. */
export function exportedUsers(db: ReadModelDatabase, blind: BlindIndexer): ExportedList {
  return newestCreated({
    columns: columnsOf(ListedUser),
    wanted: (filter) => wantedOf(readFilter(filter), blind),
    count: (wanted) => countUsers(db, wanted),
    rowsFrom: (wanted, from, limit) => usersFrom(db, wanted, from, limit),
    present: presentUser,
  });
}
