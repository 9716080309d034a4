import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { HabitualOffender } from "#contracts/http/reports.ts";
import { fromCents } from "#contracts/report/money.ts";
import { shown } from "#http/envelope.ts";
import type { ReadModel, ReadModelDatabase } from "#read-model/database.ts";
import type { PersonTable } from "#read-model/tables/offender.ts";
import type { PublicReportView } from "#read-model/tables/report.ts";
import { presentTotals } from "../reports/reports.presenter.ts";

/** A person with two or more approved reports, and the newest of these reports. */
export type OffenderRow = Pick<
  Selectable<PersonTable>,
  "id" | "report_count" | "totals" | "usd_total_cents" | "shares" | "latest_at"
> &
  Pick<
    Selectable<PublicReportView>,
    | "first_name"
    | "last_name"
    | "title"
    | "description"
    | "city"
    | "state"
    | "country"
    | "slug"
    | "created_at"
    | "resolution_status"
    | "resolved"
  >;

/** A person's sort key in the list. */
export interface Rank {
  readonly reportCount: number;
  readonly usdTotalCents: number;
  /** Milliseconds since the epoch. */
  readonly latestMs: number;
  readonly id: string;
}

/** Maximum number of persons counted. */
const COUNT_CAP = 10_000;

function offenders(db: ReadModelDatabase) {
  return (
    db
      .selectFrom("offenders.person as p")
      // If the newest report is no longer public, its person is hidden until the offenders table catches up.
      .innerJoin("reports.public_report as r", "r.id", "p.latest_report_id")
      .select([
        "p.id",
        "p.report_count",
        "p.totals",
        "p.usd_total_cents",
        "p.shares",
        "p.latest_at",
        "r.first_name",
        "r.last_name",
        "r.title",
        "r.description",
        "r.city",
        "r.state",
        "r.country",
        "r.slug",
        "r.created_at",
        "r.resolution_status",
        "r.resolved",
      ])
  );
}

/** Applies the list's order, or the reverse. `person_by_rank` is its index. */
function ranked<O>(
  query: SelectQueryBuilder<ReadModel & { p: PersonTable }, "p", O>,
  [down, up]: readonly ["desc", "asc"] | readonly ["asc", "desc"],
) {
  return query
    .orderBy("p.report_count", down)
    .orderBy("p.usd_total_cents", down)
    .orderBy("p.latest_at", down)
    .orderBy("p.id", up);
}

/** Returns people by number of reports, then by total in US dollars, then by newest report. */
export function topOffenders(db: ReadModelDatabase, limit: number): Promise<OffenderRow[]> {
  return ranked(offenders(db), ["desc", "asc"]).limit(limit).execute();
}

/** Returns the people right after a rank, or right before it, in list order. */
export async function offendersBeside(
  db: ReadModelDatabase,
  { direction, rank }: { readonly direction: "after" | "before"; readonly rank: Rank },
  limit: number,
): Promise<OffenderRow[]> {
  const backwards = direction === "before";
  const key = sql`(p.report_count, p.usd_total_cents, p.latest_at)`;
  const latest = new Date(rank.latestMs).toISOString();
  const given = sql`(${rank.reportCount}::int, ${rank.usdTotalCents}::bigint, ${latest}::timestamptz)`;
  // The index has the first three columns in one direction and the ID in the other, so equal ranks are
  // read and filtered out.
  const reached = backwards ? sql<boolean>`${key} >= ${given}` : sql<boolean>`${key} <= ${given}`;
  const passed = backwards
    ? sql<boolean>`not (${key} = ${given} and p.id >= ${rank.id}::uuid)`
    : sql<boolean>`not (${key} = ${given} and p.id <= ${rank.id}::uuid)`;
  const rows = await ranked(
    offenders(db).where(reached).where(passed),
    backwards ? ["asc", "desc"] : ["desc", "asc"],
  )
    .limit(limit)
    .execute();
  return backwards ? rows.reverse() : rows;
}

/** Returns the number of persons, exact up to 10,000. */
export async function countOffenders(
  db: ReadModelDatabase,
): Promise<{ readonly total: number; readonly capped: boolean }> {
  const { n } = await db
    .selectFrom((from) =>
      from
        .selectFrom("offenders.person")
        .select("id")
        .limit(COUNT_CAP + 1)
        .as("some"),
    )
    .select(({ fn }) => fn.countAll<string>().as("n"))
    .executeTakeFirstOrThrow();
  return { total: Math.min(Number(n), COUNT_CAP), capped: Number(n) > COUNT_CAP };
}

export function presentOffender(row: OffenderRow): HabitualOffender {
  return shown(HabitualOffender, {
    ...row,
    total_amount: fromCents(row.usd_total_cents),
    totals: presentTotals(row.totals),
    latest_report: shown(HabitualOffender.properties.latest_report, {
      ...row,
      seo_title: row.slug,
    }),
  });
}
