import { sql } from "kysely";
import type { Role } from "#contracts/http/auth.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** An account as command-api keeps it, without its password. */
export interface AccountRow {
  readonly id: string;
  readonly role: Role;
  readonly created_at: Date;
  readonly email_sealed: Sealed;
}

export async function findAccount(
  db: ReadModelDatabase,
  id: string,
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select id, role, created_at, email_sealed from command.account where id = ${id}
  `.execute(db);
  return rows[0];
}
