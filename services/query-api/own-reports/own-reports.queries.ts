import { sql } from "kysely";
import { ASKED_REPORTS } from "#contracts/account/own-figures.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Columns of a report that its owner's list shows. */
const COLUMNS = [
  "r.id",
  "r.report_type",
  "r.title",
  "r.first_name",
  "r.last_name",
  "r.currency",
  "r.amount_cents",
  "r.total_due_cents",
  "r.status",
  "r.verified",
  "r.resolved",
  "r.slug",
  "r.created_at",
  "r.decided_at",
  "r.rejection_reason",
  "r.owned_since",
  "r.questions",
] as const;

export type OwnReportRow = Awaited<ReturnType<typeof findOwnReports>>[number];

/**
 * Reports that the account submitted, newest first. Those from before a confirmation that dropped
 * everything are nobody's.
 * @param before only reports that were submitted before this position.
 */
export function findOwnReports(
  db: ReadModelDatabase,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
) {
  // The page first, so that the index alone is read, in its order.
  const page = db
    .selectFrom("reports.report as r")
    .select(COLUMNS)
    .where("r.owner_id", "=", accountId)
    .where("r.owned_since", ">", (from) =>
      from.selectFrom("accounts.account").select("owns_after").where("id", "=", accountId),
    )
    .$if(before !== undefined, (own) => own.where("r.owned_since", "<", before as string))
    .orderBy("r.owned_since", "desc")
    .limit(limit);
  return db
    .selectFrom(page.as("r"))
    .leftJoin("views.report_views as v", "v.report_id", "r.id")
    .leftJoin("offenders.member as m", "m.report_id", "r.id")
    .selectAll("r")
    .select("v.views")
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("offenders.member as other")
          .innerJoin("reports.report as theirs", "theirs.id", "other.report_id")
          .select("other.report_id")
          .whereRef("other.person_id", "=", "m.person_id")
          .where("theirs.status", "=", "approved")
          .where("theirs.owner_id", "is distinct from", accountId),
      ).as("others_reported"),
    )
    .orderBy("r.owned_since", "desc")
    .execute();
}

/**
 * Questions about reports of the account that can still be answered, first what must be answered
 * first.
 */
export function findAsked(db: ReadModelDatabase, accountId: string) {
  return db
    .selectFrom("reports.report")
    .select(["id", "title", "first_name", "last_name", "questions"])
    .where("owner_id", "=", accountId)
    .where("owned_since", ">", (from) =>
      from.selectFrom("accounts.account").select("owns_after").where("id", "=", accountId),
    )
    .where("asked_until", ">", sql<Date>`now()`)
    .orderBy("asked_until")
    .orderBy("id")
    .limit(ASKED_REPORTS)
    .execute();
}
