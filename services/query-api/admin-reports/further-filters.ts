import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ReportFilters } from "#contracts/http/admin-reports.ts";

type Condition = RawBuilder<SqlBool>;

/** Conditions on a report `r` that no index holds together with the words and terms of the list. */
export function furtherConditions(filter: ReportFilters): readonly Condition[] {
  const { country, state, reporter, evidence } = filter;
  return [
    ...daysOf(filter),
    ...amountsOf(filter),
    ...(country ? [sql<SqlBool>`r.country = ${country}`] : []),
    ...(state ? [sql<SqlBool>`lower(r.state) = lower(${state})`] : []),
    // The name that everyone may read. What is masked is not searched.
    ...(reporter
      ? [sql<SqlBool>`strpos(lower(r.public_username), lower(${reporter.trim()})) > 0`]
      : []),
    ...(evidence ? [sql<SqlBool>`(jsonb_array_length(r.files) > 0) = ${evidence === "with"}`] : []),
  ];
}

/** Those of them that are ranges of what the list is sorted by, which its index holds. */
export function rangeOf(filter: ReportFilters, field: string): Condition {
  const ranges =
    field === "created_at" ? daysOf(filter) : field === "amount" ? amountsOf(filter) : [];
  return ranges.length > 0 ? sql<SqlBool>`${sql.join(ranges, sql` and `)}` : sql<SqlBool>`true`;
}

function daysOf({ from, to }: ReportFilters): Condition[] {
  const start = (day: string) => sql`(${day}::date::timestamp at time zone 'UTC')`;
  return [
    ...(from ? [sql<SqlBool>`r.created_at >= ${start(from)}`] : []),
    ...(to ? [sql<SqlBool>`r.created_at < ${start(to)} + interval '1 day'`] : []),
  ];
}

function amountsOf({ amount_min: least, amount_max: most }: ReportFilters): Condition[] {
  const cents = (amount: string) => Math.round(Number(amount) * 100);
  return [
    ...(least ? [sql<SqlBool>`r.amount_cents >= ${cents(least)}::bigint`] : []),
    ...(most ? [sql<SqlBool>`r.amount_cents <= ${cents(most)}::bigint`] : []),
  ];
}
