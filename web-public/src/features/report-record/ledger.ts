import type { ReportDetail, ShownChargeback } from "#contracts/http/report-view.ts";
import { fromCents, toCents } from "#contracts/report/money.ts";
import { reasonLabel } from "#contracts/report/reasons.ts";
import { AMOUNT_LABELS } from "../../lib/amounts.folded.ts";
import { formatDate } from "../../lib/format.ts";
import { FEES } from "./facts.folded.ts";

/** One line of a ledger, with a decimal amount in the report's currency. */
export interface LedgerLine {
  readonly label: string;
  readonly detail?: string;
  readonly amount: number;
}

/** The amounts of a report, laid out so that a reader can check every sum. */
export interface Ledger {
  readonly currency: string;
  /** Lines that add up to `own`. */
  readonly lines: readonly LedgerLine[];
  readonly own: number;
  /** Other chargebacks by this person. Each amount includes its own fees. */
  readonly additional: readonly LedgerLine[];
  /** The sum of `own` and the additional chargebacks. */
  readonly due: number;
}

export function ledgerOf(report: ReportDetail): Ledger {
  const { report_type } = report;
  const fees = FEES[report_type].map(({ field, label }) => ({ label, amount: report[field] ?? 0 }));
  const lines = [
    { label: AMOUNT_LABELS[report_type], amount: report.amount },
    ...fees.filter(({ amount }) => amount > 0),
  ];
  const additional = report.chargebacks.map(additionalLine);
  const own = sum(lines.map(({ amount }) => amount));
  return { currency: report.currency, lines, own, additional, due: report.total_due };
}

function additionalLine(item: ShownChargeback, index: number): LedgerLine {
  const detail = [
    item.date && formatDate(item.date),
    item.reason && reasonLabel(item.reason),
    item.total_due > item.amount && "with fees",
  ].filter(Boolean);
  return {
    label: `Additional chargeback ${index + 1}`,
    ...(detail.length > 0 ? { detail: detail.join(", ") } : {}),
    amount: item.total_due,
  };
}

/** Sum of decimal amounts, exact to the cent. */
function sum(amounts: readonly number[]): number {
  return fromCents(amounts.reduce((cents, amount) => cents + toCents(amount), 0));
}
