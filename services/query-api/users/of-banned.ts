import { type RawBuilder, type SqlBool, sql } from "kysely";
import { MAX_WINDOW } from "../paging.ts";

/**
 * Whether the report `r` is of no banned account. There are few of these, and they are looked up once for a
 * statement.
 */
export const NOT_OF_BANNED: RawBuilder<SqlBool> = sql<SqlBool>`(r.owner_id is null or r.owner_id <> all(
  array(select u.id from users.user u where u.status = 'banned' limit ${MAX_WINDOW})))`;
