import type { FieldRow } from "#contracts/report/catalogue.ts";
import {
  AMOUNTS,
  type AmountField,
  type Amounts,
  CHARGEBACK_AMOUNTS,
} from "#contracts/report/derive/amounts.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS, typeOf } from "#contracts/report/derive/fields.ts";
import { fromCents, toCents } from "#contracts/report/money.ts";
import { reasonLabel } from "#contracts/report/reasons.ts";
import { REPORT_TYPES } from "#contracts/report/words.ts";
import { formatDate } from "../../shared/formats.ts";

/** Amounts by name, as decimals. */
type AmountsGiven = Readonly<Partial<Record<AmountField, number>>>;

export interface LedgerSource extends AmountsGiven {
  readonly report_type?: string;
  readonly chargebacks?: readonly LedgerItem[];
}

interface LedgerItem extends AmountsGiven {
  readonly date?: string;
  readonly reason?: string;
}

export interface LedgerLine {
  readonly label: string;
  readonly amount: number;
}

/** Lines that add up to the sum below them. */
export interface LedgerGroup {
  readonly title: string;
  readonly lines: readonly LedgerLine[];
  readonly total: number;
}

export interface Ledger {
  readonly groups: readonly LedgerGroup[];
  /** The sum of all groups. */
  readonly total: number;
}

/**
 * The total due, as groups of lines that add up. It calculates in cents, so that there are no
 * rounding errors.
 */
export function ledgerOf(report: LedgerSource): Ledger {
  const type = typeOf(report.report_type);
  const { main } = AMOUNTS[type];
  const given = { ...report, [main]: report[main] ?? report.amount };
  const groups = [
    group(REPORT_TYPES[type], linesOf(AMOUNTS[type], REPORT_ROWS, given)),
    ...(report.chargebacks ?? []).map((item, index) =>
      group(itemTitle(item, index), linesOf(CHARGEBACK_AMOUNTS, CHARGEBACK_ROWS, item)),
    ),
  ];
  return { groups, total: sum(groups.map((g) => g.total)) };
}

/** The fees of a report as one sum. */
export function feesOf(report: Omit<LedgerSource, "chargebacks">): number {
  return sum(AMOUNTS[typeOf(report.report_type)].fees.map((fee) => report[fee] ?? 0));
}

function group(title: string, lines: readonly LedgerLine[]): LedgerGroup {
  return { title, lines, total: sum(lines.map((line) => line.amount)) };
}

/** The main amount, and the fees that are not zero. */
function linesOf(
  { main, fees }: Amounts,
  rows: Readonly<Partial<Record<AmountField, FieldRow>>>,
  given: AmountsGiven,
): LedgerLine[] {
  return [main, ...fees.filter((fee) => given[fee])].map((name) => ({
    label: rows[name]?.label ?? name,
    amount: given[name] ?? 0,
  }));
}

function itemTitle(item: LedgerItem, index: number): string {
  return [
    `Additional chargeback ${index + 1}`,
    item.date ? formatDate(item.date) : undefined,
    item.reason ? reasonLabel(item.reason) : undefined,
  ]
    .filter((part) => part)
    .join(", ");
}

function sum(amounts: readonly number[]): number {
  return fromCents(amounts.reduce((cents, amount) => cents + toCents(amount), 0));
}
