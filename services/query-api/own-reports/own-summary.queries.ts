import { sql } from "kysely";
import { SUMMARISED_MONTHS, SUMMARISED_REPORTS } from "#contracts/account/own-figures.ts";
import type { OwnReportsSummary } from "#contracts/http/own-reports.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { Currency, ReportStatus } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { IS_UNCONFIRMED } from "#read-model/tables/report.ts";

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

/** What the account's reports come to, in one statement over its newest reports. */
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
        order by owned_since desc limit ${SUMMARISED_REPORTS}
      ) r left join views.report_views v on v.report_id = r.id
    ), by_month as (
      select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, currency,
        count(*)::int as reports, sum(total_due_cents)::bigint as cents
      from own
      where created_at >= date_trunc('month', now(), 'UTC') - make_interval(months => ${SUMMARISED_MONTHS - 1})
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
