import type { ReportDetail, ShownChargeback } from "#contracts/http/report-view.ts";
import { fromCents, toCents } from "#contracts/report/money.ts";
import { reasonLabel } from "#contracts/report/reasons.ts";
import { amountLabel } from "../../lib/amount-label.ts";
import { formatDate } from "../../lib/format.ts";

/** One line of a ledger; the amount in whole units of the report's currency. */
export interface LedgerLine {
  readonly label: string;
  readonly detail?: string;
  readonly amount: number;
}

/** The amounts of a report, so that every sum can be checked by eye. */
export interface Ledger {
  readonly currency: string;
  /** What adds up to `due`. */
  readonly lines: readonly LedgerLine[];
  readonly due: number;
  /** Additional chargebacks of the same person, each with its own fees in it. */
  readonly additional: readonly LedgerLine[];
  /** `due` and the additional chargebacks; absent when there are none. */
  readonly grandTotal?: number;
}

type Amounts = Pick<
  ReportDetail,
  | "report_type"
  | "currency"
  | "amount"
  | "check_amount"
  | "chargeback_fee"
  | "other_fees"
  | "total_due"
  | "chargebacks"
>;

/** What the last line of a ledger says, and its amount. */
export function lastLine({ due, grandTotal }: Ledger): LedgerLine {
  return grandTotal === undefined
    ? { label: "Total due", amount: due }
    : { label: "Total with additional chargebacks", amount: grandTotal };
}

export function ledgerOf(report: Amounts): Ledger {
  const isCheck = report.report_type === "bad_check";
  const lines: LedgerLine[] = [
    {
      label: amountLabel(report),
      amount: isCheck ? (report.check_amount ?? report.amount) : report.amount,
    },
  ];
  if (!isCheck && report.chargeback_fee) {
    lines.push({ label: "Chargeback fee", amount: report.chargeback_fee });
  }
  if (report.other_fees) lines.push({ label: "Other fees", amount: report.other_fees });
  const additional = report.chargebacks.map(additionalLine);
  const ledger = { currency: report.currency, lines, due: report.total_due, additional };
  if (additional.length === 0) return ledger;
  return { ...ledger, grandTotal: sum([report.total_due, ...additional.map((l) => l.amount)]) };
}

function additionalLine(item: ShownChargeback, index: number): LedgerLine {
  const fees = sum([item.chargeback_fee ?? 0, item.other_fees ?? 0]);
  const detail = [
    item.date && formatDate(item.date),
    item.reason && reasonLabel(item.reason),
    fees > 0 && "with fees",
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
