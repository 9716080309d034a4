import type { Selectable } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { AccountTable } from "#read-model/tables/account.ts";
import { isInGoodStanding } from "./good-standing.ts";

/** An account, with the number of its own reports that are not deleted. */
export type ProfileRow = Selectable<AccountTable> & {
  readonly reports_count: number;
  readonly in_good_standing: boolean;
};

/** @returns undefined before the projector has seen the account. */
export async function findProfile(
  db: ReadModelDatabase,
  id: string,
  now: Date,
): Promise<ProfileRow | undefined> {
  return await db
    .selectFrom("accounts.account as a")
    .selectAll("a")
    .select((from) =>
      from
        .selectFrom("reports.report as r")
        .select((report) => report.fn.countAll<number>().as("count"))
        .whereRef("r.owner_id", "=", "a.id")
        .whereRef("r.owned_since", ">", "a.owns_after")
        .$asScalar()
        .$notNull()
        .as("reports_count"),
    )
    .select(isInGoodStanding(now).as("in_good_standing"))
    .where("a.id", "=", id)
    .executeTakeFirst();
}

/** @returns undefined before the projector has seen the account. */
export async function findPreferences(db: ReadModelDatabase, id: string) {
  return await db
    .selectFrom("accounts.account")
    .select(["notifications as preferences", "confirmed"])
    .where("id", "=", id)
    .executeTakeFirst();
}
