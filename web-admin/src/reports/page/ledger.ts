import { fromCents, toCents } from "#contracts/report/money.ts";
import { reasonLabel } from "#contracts/report/reasons.ts";
import { formatDate } from "../../shared/formats.ts";

/** The amounts of a report, or of an additional chargeback, in decimal units. */
export interface LedgerSource {
  readonly report_type?: string;
  readonly amount?: number;
  readonly check_amount?: number;
  readonly chargeback_fee?: number;
  readonly other_fees?: number;
  readonly chargebacks?: readonly LedgerItem[];
}

interface LedgerItem {
  readonly amount: number;
  readonly date?: string;
  readonly reason?: string;
  readonly chargeback_fee?: number;
  readonly other_fees?: number;
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

/** What is due, as groups of lines that add up, in cents so that no rounding shows. */
export function ledgerOf(report: LedgerSource): Ledger {
  const isCheck = report.report_type === "bad_check";
  const first = isCheck
    ? { label: "Check amount", amount: report.check_amount ?? report.amount ?? 0 }
    : { label: "Original amount", amount: report.amount ?? 0 };
  const groups = [
    group(isCheck ? "Bad check" : "Chargeback", [first, ...feeLines(report)]),
    ...(report.chargebacks ?? []).map((item, index) =>
      group(itemTitle(item, index), [{ label: "Amount", amount: item.amount }, ...feeLines(item)]),
    ),
  ];
  return { groups, total: sum(groups.map((g) => g.total)) };
}

/** The fees of a report as one sum. */
export function feesOf(report: Pick<LedgerSource, "chargeback_fee" | "other_fees">): number {
  return sum([report.chargeback_fee ?? 0, report.other_fees ?? 0]);
}

function group(title: string, lines: readonly LedgerLine[]): LedgerGroup {
  return { title, lines, total: sum(lines.map((line) => line.amount)) };
}

function feeLines(fees: Pick<LedgerItem, "chargeback_fee" | "other_fees">): LedgerLine[] {
  const lines: LedgerLine[] = [];
  if (fees.chargeback_fee) lines.push({ label: "Chargeback fee", amount: fees.chargeback_fee });
  if (fees.other_fees) lines.push({ label: "Other fees", amount: fees.other_fees });
  return lines;
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
