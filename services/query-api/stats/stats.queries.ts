import { sql } from "kysely";
import type { RegistryStats } from "#contracts/http/analytics.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { Currency } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

interface CurrencyRow {
  readonly currency: Currency;
  readonly reports: string;
  readonly persons: string;
  readonly due_cents: string;
}

/** Counts and sums approved reports. Reads a row per report, so callers cache the result. */
export async function registryStats(db: ReadModelDatabase): Promise<RegistryStats> {
  const { rows } = await sql<CurrencyRow>`
    select currency, count(*) as reports, count(*) filter (where person_id is null) as persons,
      sum(amount_cents + chargeback_fee_cents + other_fees_cents + chargebacks_cents) as due_cents
    from offenders.member where approved group by currency order by currency`.execute(db);
  const { habitual } = await db
    .selectFrom("offenders.person")
    .select(({ fn }) => fn.countAll<string>().as("habitual"))
    .executeTakeFirstOrThrow();
  const newest = await db
    .selectFrom("reports.public_report")
    .select("created_at")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  const sum = (of: (row: CurrencyRow) => string) => rows.reduce((n, row) => n + Number(of(row)), 0);
  return {
    reports: sum((row) => row.reports),
    people: sum((row) => row.persons) + Number(habitual),
    totals: rows.map(({ currency, due_cents }) => ({
      currency,
      amount: fromCents(Number(due_cents)),
    })),
    newest_at: newest?.created_at.toISOString() ?? null,
  };
}
