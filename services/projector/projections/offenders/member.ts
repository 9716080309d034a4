import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { ReportSubmitted } from "#contracts/events/report/report-submitted.ts";
import type { ClearReport } from "#contracts/events/report/stored-report.ts";
import { FEE_COLUMNS } from "#contracts/report/derive/amounts.ts";
import {
  chargebackTotal,
  type FeeCents,
  feesCents,
  mainAmount,
} from "#contracts/report/submission-rules.ts";
import { type Sealed, subjects } from "#contracts/sealed.ts";
import type { MemberTable } from "#read-model/tables/offender.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import { sealedCell } from "../../keyed/read-model.ts";
import { type Named, storedKeys } from "../identity-keys.ts";
import { sealedReports } from "../of-reports.ts";

/** A row of `offenders.member` as JSON. */
export interface MemberRow extends Omit<MemberTable, "identity" | "created_at"> {
  identity: Sealed;
  created_at: string;
}

const identityCell = sealedCell<Named>("offenders.member", "identity", subjects.personal);

/**
 * The parts of reports that matter for finding people with several reports. The keys of an approved
 * report show who it names. In other reports this is sealed, and opened when an approval or edit
 * needs it.
 */
export const members = sealedReports<MemberRow>(
  {
    name: "member",
    columns: [
      "report_id",
      "approved",
      "person_id",
      "identity",
      "keys",
      "report_type",
      "currency",
      "amount_cents",
      ...FEE_COLUMNS,
      "chargebacks_cents",
      "created_at",
    ],
    lists: ["keys"],
  },
  { submitted, edited, approved, withdrawn: { keys: [] } },
);

function submitted(
  id: string,
  { personal, report, report_type }: OpenData<typeof ReportSubmitted>,
  created_at: string,
  keys: KeyLookups,
): MemberRow | undefined {
  if (!personal) return undefined;
  const { first_name, last_name } = personal.report;
  const identity = identityCell.seal(id, { first_name, last_name, blind: personal.blind }, keys);
  return (
    identity && {
      report_id: id,
      approved: false,
      person_id: null,
      identity,
      keys: [],
      report_type,
      currency: report.currency,
      amount_cents: report[`${mainAmount(report_type)}_cents`] ?? 0,
      ...feesIn(report),
      chargebacks_cents: sumOf(report.chargebacks),
      created_at,
    }
  );
}

function edited(
  row: MemberRow,
  { personal, set, cleared }: OpenData<typeof ReportEdited>,
  keys: KeyLookups,
): MemberRow | undefined {
  if (personal === null) return undefined;
  const next = { ...row };
  if (set.currency) next.currency = set.currency;
  const amount = set[`${mainAmount(row.report_type)}_cents`];
  if (amount !== undefined) next.amount_cents = amount;
  for (const field of FEE_COLUMNS) {
    if (cleared.includes(field)) next[field] = 0;
    else if (set[field] !== undefined) next[field] = set[field];
  }
  if (set.chargebacks) next.chargebacks_cents = sumOf(set.chargebacks);
  if (!personal) return next;
  const { first_name, last_name } = personal.set;
  if (!first_name && !last_name && !personal.blind) return next;
  const before = identityCell.open(row.report_id, row.identity, keys);
  const named = before && {
    first_name: first_name ?? before.first_name,
    last_name: last_name ?? before.last_name,
    blind: personal.blind ?? before.blind,
  };
  const identity = named && identityCell.seal(row.report_id, named, keys);
  return identity && { ...next, identity, keys: row.approved ? storedKeys(named) : [] };
}

function approved(row: MemberRow, keys: KeyLookups): MemberRow | undefined {
  if (row.approved) return row;
  const named = identityCell.open(row.report_id, row.identity, keys);
  return named && { ...row, approved: true, keys: storedKeys(named) };
}

function feesIn(report: FeeCents): Pick<MemberRow, keyof FeeCents> {
  const fees = FEE_COLUMNS.map((column) => [column, report[column] ?? 0]);
  return Object.fromEntries(fees);
}

function sumOf(items: ClearReport["chargebacks"]): number {
  return items.reduce((sum, item) => sum + chargebackTotal(item), 0);
}

/** The amount owed according to the report, including additional chargebacks, in cents. */
export function owedCents(row: MemberRow): number {
  return row.amount_cents + feesCents(row.report_type, row) + row.chargebacks_cents;
}
