import { MOST_NAMED } from "#contracts/http/analytics.ts";
import { PERIODS, type PeriodName } from "#contracts/report/periods.ts";
import { readModelDatabase, readModelPool } from "#read-model/database.ts";
import { addDays, spansOf } from "#services/query-api/analytics/span.ts";
import { topOffenders } from "#services/query-api/analytics/top-offenders.queries.ts";
import { closedLoop } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";

const CONNECTIONS = 4;
/** The short ones, in which those with the most reports of all time say least. */
const SHORT = ["7days", "30days"] as const satisfies readonly PeriodName[];

/**
 * Who was reported most in a short period, compared with only counting the period's reports by person. The
 * ratio falls when more is read than what the period names. Periods end on the day of the newest report.
 */
export async function* reportedMostRows(
  stores: BenchStores,
  { seconds }: BenchOptions,
): AsyncGenerator<Row> {
  const pool = readModelPool(stores.databaseUrl, {
    name: "bench",
    max: CONNECTIONS,
    statementMs: "unlimited",
  });
  const db = readModelDatabase(pool);
  const load = { connections: CONNECTIONS, seconds };
  try {
    const newest = await pool.query<{ ms: number | null; members: number }>(
      `select extract(epoch from max(created_at))::float8 * 1000 as ms, count(*)::int as members
       from offenders.member`,
    );
    const { ms, members } = newest.rows[0] ?? { ms: null, members: 0 };
    for (const name of SHORT) {
      const { span } = spansOf(PERIODS[name], ms ?? Date.now());
      const bounds = [`${span.from}T00:00:00Z`, `${addDays(span.to, 1)}T00:00:00Z`];
      const over = await closedLoop(load, async () => void (await topOffenders(db, span)));
      const base = await closedLoop(load, async () => {
        await pool.query(
          `select person_id, count(*) from offenders.member
           where person_id is not null and created_at >= $1 and created_at < $2
           group by person_id order by 2 desc limit ${MOST_NAMED}`,
          bounds,
        );
      });
      yield rowOf({
        name: `who was reported most in ${PERIODS[name].days} days`,
        profile: stores.profile.name,
        value: over.perSecond,
        unit: "readings/s",
        baseline: base.perSecond,
        baselineName: "counting the period's reports",
        p50: over.p50,
        p99: over.p99,
        detail: { count: over.count, members, bareP50: base.p50, bareP99: base.p99 },
      });
    }
  } finally {
    await pool.end();
  }
}
