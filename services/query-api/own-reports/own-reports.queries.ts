import { sql } from "kysely";
import {
  ASKED_REPORTS,
  SUMMARIZED_MONTHS,
  SUMMARIZED_REPORTS,
} from "#contracts/account/own-figures.ts";
import type { OwnReportsSummary } from "#contracts/http/own-reports.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { Currency, ReportStatus } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { IS_UNCONFIRMED } from "#read-model/tables/report.ts";

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
 * Returns an account's reports, newest first, excluding those before a confirmation that dropped all. @param
 * before position.
 */
export function findOwnReports(
  db: ReadModelDatabase,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
) {
  // Selects the page first, so that only the index is read, in order.
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

/** Returns questions about the account's reports that can still be answered, those due first on top. */
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

interface SummaryRow {
  readonly reports: number;
  readonly statuses: Partial<Record<ReportStatus, number>> | null;
  readonly unconfirmed: number;
  readonly views: number;
  readonly months:
    | readonly {
        readonly month: string;
        readonly currency: Currency;
        readonly reports: number;
        readonly cents: number;
      }[]
    | null;
}

/** Summarizes the account's newest reports in one statement. */
export async function summariseOwnReports(
  db: ReadModelDatabase,
  accountId: string,
): Promise<Omit<OwnReportsSummary, "asked">> {
  const { rows } = await sql<SummaryRow>`
    with own as materialized (
      select r.status, r.verified, r.currency, r.total_due_cents, r.created_at, v.views
      from (
        select id, status, verified, currency, total_due_cents, created_at
        from reports.report
        where owner_id = ${accountId}
          and owned_since > (select owns_after from accounts.account where id = ${accountId})
        order by owned_since desc limit ${SUMMARIZED_REPORTS}
      ) r left join views.report_views v on v.report_id = r.id
    ), by_month as (
      select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, currency,
        count(*)::int as reports, sum(total_due_cents)::bigint as cents
      from own
      where created_at >= date_trunc('month', now(), 'UTC') - make_interval(months => ${SUMMARIZED_MONTHS - 1})
      group by 1, 2
    )
    select count(*)::int as reports,
      (count(*) filter (where ${sql.raw(IS_UNCONFIRMED)}))::int as unconfirmed,
      coalesce(sum(views) filter (where status = 'approved'), 0)::int as views,
      (select jsonb_object_agg(status, n) from (select status, count(*) as n from own group by 1) s)
        as statuses,
      (select jsonb_agg(to_jsonb(m) order by month, currency) from by_month m) as months
    from own`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("A sum without groups has one row");
  const none = { pending: 0, under_review: 0, approved: 0, rejected: 0 };
  return {
    reports: row.reports,
    statuses: { ...none, ...row.statuses },
    unconfirmed: row.unconfirmed,
    view_count: row.views,
    months: (row.months ?? []).map(({ cents, ...month }) => ({
      ...month,
      total_due: fromCents(cents),
    })),
  };
}

/** Returns the encrypted address of an account that may claim reports; undefined if it may not. */
export async function findConfirmedAddress(db: ReadModelDatabase, accountId: string) {
  return await db
    .selectFrom("accounts.account")
    .select("address")
    .where("id", "=", accountId)
    .where("confirmed", "=", true)
    .where("status", "=", "active")
    .executeTakeFirst();
}

/** Returns visitors' confirmed reports from an address, newest first. @param reporterBlind its blind index. */
export function findClaimable(db: ReadModelDatabase, reporterBlind: string, limit: number) {
  return db
    .selectFrom("reports.report")
    .select(["id", "title", "first_name", "last_name", "status", "created_at"])
    .where("reporter_blind", "=", reporterBlind)
    .where("owner_id", "is", null)
    .where("address_confirmed", "=", true)
    .where("origin", "=", "live")
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
}

/**
 * Returns the newest of the account's own reports about an order, ignoring case; undefined if none. Two
 * reports that name different merchants are about different orders that happen to share a number.
 * @param order the order ID or tracking number.
 * @param merchant the public company name; null if none is given, which matches every merchant.
 */
export function findSameOrder(
  db: ReadModelDatabase,
  accountId: string,
  { order, merchant }: { readonly order: string; readonly merchant: string | null },
) {
  return db
    .selectFrom("reports.report")
    .select(["id", "status", "created_at"])
    .where("owner_id", "=", accountId)
    .where("owned_since", ">", (from) =>
      from.selectFrom("accounts.account").select("owns_after").where("id", "=", accountId),
    )
    .where(sql<boolean>`lower(tracking_number) = lower(${order})`)
    .where(
      sql<boolean>`(${merchant}::text is null or public_username is null
        or lower(public_username) = lower(${merchant}))`,
    )
    .orderBy("owned_since", "desc")
    .limit(1)
    .executeTakeFirst();
}
