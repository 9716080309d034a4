import { beforeEach, describe, expect, it } from "vitest";
import type { Analytics, SpanStats } from "#contracts/http/analytics.ts";
import { PERIOD_NAMES, PERIODS } from "#contracts/report/periods.ts";
import { CURRENCIES, type Currency } from "#contracts/report/words.ts";
import { waitAt, waitBucket } from "#read-model/wait-buckets.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";
import { addDays, spansOf, stepsOf } from "./period-stats.queries.ts";

const service = forFile(() => startQueryApi());
beforeEach(() =>
  service.db.query(
    `truncate reports.report, reports.figure_day, reports.figure_wait, reports.figure_reporter_day,
       reports.figure_reporter, offenders.person, offenders.member`,
  ),
);

async function analytics(period = "30days"): Promise<Analytics> {
  const reply = await service.get(`/prod/api/admin/analytics?period=${period}`, { as: "admin" });
  expect(reply.statusCode).toBe(200);
  return reply.json().data;
}

const today = () => new Date().toISOString().slice(0, 10);

interface DayRow {
  readonly day: string;
  readonly currency: Currency;
  readonly submitted: number;
  readonly submitted_cents: number;
  readonly approved: number;
  readonly approved_cents: number;
  readonly rejected: number;
}

/** A seeded generator, so that failures are reproducible. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function insert(table: string, rows: readonly object[]): Promise<void> {
  await service.db.query(
    `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}

describe("figures of a period", () => {
  it("cover the days of the period, each point and the previous period, and no other days", async () => {
    const next = numbers(7);
    const days: DayRow[] = [];
    const waits: { day: string; bucket: number; reports: number }[] = [];
    for (let ago = -2; ago < 800; ago += 1 + next(3)) {
      const day = addDays(today(), -ago);
      for (const currency of CURRENCIES)
        if (next(2))
          days.push({
            day,
            currency,
            submitted: next(9),
            submitted_cents: next(1_000_000),
            approved: next(5),
            approved_cents: next(500_000),
            rejected: next(4),
          });
      for (let bucket = next(9); bucket < 90; bucket += 1 + next(40))
        waits.push({ day, bucket, reports: 1 + next(6) });
    }
    await insert("reports.figure_day", days);
    await insert("reports.figure_wait", waits);

    const expected = (from: string, to: string): SpanStats => {
      const own = days.filter(({ day }) => day >= from && day <= to);
      const count = (of: (row: DayRow) => number) => own.map(of).reduce((a, b) => a + b, 0);
      const totals = (of: (row: DayRow) => number) =>
        CURRENCIES.toSorted()
          .map((currency) => ({
            currency,
            cents: own.filter((row) => row.currency === currency).map(of),
          }))
          .map(({ currency, cents }) => ({
            currency,
            amount: cents.reduce((a, b) => a + b, 0) / 100,
          }))
          .filter(({ amount }) => amount !== 0);
      const waited = waits.filter(({ day }) => day >= from && day <= to);
      return {
        from,
        to,
        submitted: count((row) => row.submitted),
        approved: count((row) => row.approved),
        rejected: count((row) => row.rejected),
        submitted_totals: totals((row) => row.submitted_cents),
        approved_totals: totals((row) => row.approved_cents),
        median_minutes: waitAt(0.5, waited),
        p95_minutes: waitAt(0.95, waited),
      };
    };
    for (const name of PERIOD_NAMES) {
      const { figures, failed, ...rest } = await analytics(name);
      const { span, previous } = spansOf(PERIODS[name], Date.now());
      expect(rest).toMatchObject({ period: name, time_zone: "UTC" });
      expect(failed).toEqual([]);
      expect(figures).toEqual({
        step: PERIODS[name].step,
        total: expected(span.from, span.to),
        previous: expected(previous.from, previous.to),
        points: stepsOf(span, PERIODS[name].step).map(({ from, to }) => expected(from, to)),
      });
    }
  });

  it("are zeros and no waits without data, and tolerate sums too large to be exact", async () => {
    const nothing = await analytics();
    expect(nothing.figures?.total).toMatchObject({
      submitted: 0,
      submitted_totals: [],
      median_minutes: null,
      p95_minutes: null,
    });
    expect(nothing.figures?.points).toHaveLength(30);
    await service.db.query(
      `insert into reports.figure_day values ($1, 'USD', 9, 99999999999999999999, 0, 0, 0)`,
      [today()],
    );
    const [total] = (await analytics()).figures?.total.submitted_totals ?? [];
    expect(total?.amount).toBeCloseTo(1e18, -3);
  });

  it("default to 30 days and accept the specification's short name", async () => {
    await insert("reports.figure_wait", [{ day: today(), bucket: waitBucket(60_000), reports: 1 }]);
    const byDefault = await service.get("/prod/api/admin/analytics", { as: "admin" });
    expect(byDefault.json().data.period).toBe("30days");
    expect(await analytics("30d")).toEqual(byDefault.json().data);
    const unknown = await service.get("/prod/api/admin/analytics?period=2days", { as: "admin" });
    expect(unknown.statusCode).toBe(400);
  });
});

describe("the ranking of reporters", () => {
  /** `reports[i]` of a reporter are from `days[i]` days ago. */
  async function addReporters(
    of: readonly { key: string; days: readonly number[]; reports: readonly number[] }[],
  ) {
    const rows = of.flatMap(({ key, days, reports }) =>
      days.map((ago, i) => ({
        reporter: key,
        day: addDays(today(), -ago),
        currency: "USD",
        reports: reports[i] ?? 0,
        approved: 0,
        owed_cents: 100 * (reports[i] ?? 0),
      })),
    );
    await insert("reports.figure_reporter_day", rows);
    await service.db.query(
      `insert into reports.figure_reporter
       select reporter, sum(reports) from reports.figure_reporter_day group by reporter`,
    );
  }

  it.each([3, 11, 12])(
    "is the same as when counting everyone, wherever they rank overall (%i)",
    async (seed) => {
      const next = numbers(seed);
      await addReporters(
        Array.from({ length: 1300 }, (_, n) => ({
          key: `address:${String(n).padStart(4, "0")}`,
          // Under two of the three seeds, the top reporters of all time reported long ago.
          days: [next(7), 20 + next(400)],
          reports: [1 + next(8), seed === 3 ? 1 : n < 1200 ? 300 - (n % 250) : 1],
        })),
      );
      for (const name of PERIOD_NAMES) {
        const { span } = spansOf(PERIODS[name], Date.now());
        const { rows } = await service.db.query(
          `select sum(reports)::int as reports, sum(owed_cents)::int as cents
           from reports.figure_reporter_day join (
             select reporter, reports as total from reports.figure_reporter
           ) t using (reporter)
           where day between $1 and $2 group by reporter, total
           order by 1 desc, total desc, reporter limit 10`,
          [span.from, span.to],
        );
        const found = (await analytics(name)).top_reporters ?? [];
        expect(
          found.map(({ reports, totals }) => [reports, totals[0]?.amount]),
          name,
        ).toEqual(rows.map(({ reports, cents }) => [reports, cents / 100]));
      }
    },
  );

  it("names accounts and visitors by their public name, else by their masked address", async () => {
    const account = service.accounts.user;
    const blind = "b".repeat(64);
    await service.addReport({
      owner_id: account,
      owned_since: "00000000000000000001",
      public_username: "Harborlight Audio",
    });
    await service.addReport({
      reporter_blind: blind,
      public_username: "Old name",
      created_at: "2026-01-01T00:00:00Z",
    });
    await service.addReport({ reporter_blind: blind, created_at: "2026-02-01T00:00:00Z" });
    await addReporters([
      { key: `account:${account}`, days: [0], reports: [3] },
      { key: `address:${blind}`, days: [0], reports: [2] },
      { key: "address:erased", days: [0], reports: [1] },
    ]);
    const found = (await analytics()).top_reporters;
    expect(found).toMatchObject([
      { name: "Harborlight Audio", account_id: account, reports: 3 },
      { name: "r***@***", reports: 2 },
      { name: null, reports: 1 },
    ]);
    expect(JSON.stringify(found)).not.toContain(blind);
  });
});

describe("the ranking of offenders", () => {
  const DAY_MS = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

  async function addPerson(days: readonly number[], columns: object = {}) {
    const ids: string[] = [];
    for (const day of days)
      ids.push(await service.addReport({ status: "approved", created_at: ago(day), ...columns }));
    const id = await service.addPerson(ids, { latest_report_id: ids[0] });
    for (const [i, day] of days.entries())
      await service.db.query(
        "update offenders.member set created_at = $2, amount_cents = 150 where report_id = $1",
        [ids[i], ago(day)],
      );
    return id;
  }

  it("uses the approved reports and sums of the period", async () => {
    await addPerson([1, 40, 41, 300], { first_name: "Ann", last_name: "Old", slug: "ann-old" });
    await addPerson([2, 3], { first_name: "Bob", last_name: "New", slug: "bob-new" });
    await addPerson([400, 500], { first_name: "Cid", last_name: "Gone", slug: "cid-gone" });
    const names = async (period: string) =>
      ((await analytics(period)).top_offenders ?? []).map(
        ({ first_name, reports, all_reports, totals }) => [
          first_name,
          reports,
          all_reports,
          totals[0]?.amount,
        ],
      );
    expect(await names("7days")).toEqual([
      ["Bob", 2, 2, 3],
      ["Ann", 1, 4, 1.5],
    ]);
    expect(await names("1year")).toEqual([
      ["Ann", 4, 4, 6],
      ["Bob", 2, 2, 3],
    ]);
  });

  it("omits a person whose newest report is no longer public", async () => {
    await addPerson([1, 2], { first_name: "Ann", slug: "ann-hidden" });
    await service.db.query("update reports.report set status = 'under_review'");
    expect((await analytics()).top_offenders).toEqual([]);
  });
});

describe("a part that cannot be read", () => {
  it("is listed as failed, and the other parts are returned", async () => {
    await service.db.query("alter table offenders.person rename to gone");
    try {
      const found = await analytics();
      expect(found.failed).toEqual(["top_offenders"]);
      expect(found.top_offenders).toBeNull();
      expect(found.top_reporters).toEqual([]);
      expect(found.figures?.total.submitted).toBe(0);
    } finally {
      await service.db.query("alter table offenders.gone rename to person");
    }
    expect((await analytics()).failed).toEqual([]);
  });
});
