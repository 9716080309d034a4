import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ReportFilters } from "#contracts/http/admin-reports.ts";

type Condition = RawBuilder<SqlBool>;

/** Conditions on a report `r` that no index covers together with the list's words and terms. */
export function furtherConditions(filter: ReportFilters): readonly Condition[] {
  const { country, state, reporter, evidence } = filter;
  return [
    ...daysOf(filter),
    ...amountsOf(filter),
    ...(country ? [sql<SqlBool>`r.country = ${country}`] : []),
    ...(state ? [sql<SqlBool>`lower(r.state) = lower(${state})`] : []),
    // The public name. Masked names are not searched.
    ...(reporter
      ? [sql<SqlBool>`strpos(lower(r.public_username), lower(${reporter.trim()})) > 0`]
      : []),
    ...(evidence ? [sql<SqlBool>`(jsonb_array_length(r.files) > 0) = ${evidence === "with"}`] : []),
  ];
}

/** The ranges among them on the list's sort field, which that field's index covers. */
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
