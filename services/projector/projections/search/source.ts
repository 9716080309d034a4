import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { ReportSubmitted } from "#contracts/events/report/report-submitted.ts";
import type {
  BlindIndexes,
  ClearReport,
  PersonalReport,
} from "#contracts/events/report/stored-report.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { type Sealed, subjects } from "#contracts/sealed.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import { sealedCell } from "../../keyed/read-model.ts";
import { sealedReports } from "../of-reports.ts";

/** Values for searches and filters that were never sealed. */
export interface SourceClear {
  report_type: ReportType;
  amount_cents: number;
  check_amount_cents?: number;
  chargeback_reason?: string;
  check_reason?: string;
  /** Reasons of the additional chargebacks. */
  reasons: string[];
}

/** Searched values that are sealed until the report is public. */
export interface SourceTexts {
  first_name: string;
  last_name: string;
  title: string;
  description: string;
  city: string;
  state: string;
  country: string;
  email: readonly string[];
  phone: readonly string[];
}

/** A row of `search_source.report` as JSON. */
export interface SourceRow {
  report_id: string;
  approved: boolean;
  clear: SourceClear;
  texts: Sealed;
  created_at: string;
}

const TEXT_FIELDS = [
  "first_name",
  "last_name",
  "title",
  "description",
  "city",
  "state",
  "country",
] as const satisfies readonly (keyof PersonalReport & keyof SourceTexts)[];

const textsCell = sealedCell<SourceTexts>("search_source.report", "texts", subjects.personal);

/** The parts of reports that can be searched. */
export const sources = sealedReports<SourceRow>(
  {
    name: "report",
    columns: ["report_id", "approved", "clear", "texts", "created_at"],
  },
  {
    submitted,
    edited,
    approved: (row, keys) => textsOf(row, keys) && { ...row, approved: true },
  },
);

function submitted(
  id: string,
  { personal, report, report_type }: OpenData<typeof ReportSubmitted>,
  created_at: string,
  keys: KeyLookups,
): SourceRow | undefined {
  if (!personal) return undefined;
  const shown = { ...pick(personal.report, TEXT_FIELDS), email: [], phone: [] };
  const texts = textsCell.seal(
    id,
    takeBlind(shown as unknown as SourceTexts, personal.blind),
    keys,
  );
  return (
    texts && {
      report_id: id,
      approved: false,
      clear: takeClear({ report_type, amount_cents: 0, reasons: [] }, report),
      texts,
      created_at,
    }
  );
}

function edited(
  row: SourceRow,
  { personal, set, cleared }: OpenData<typeof ReportEdited>,
  keys: KeyLookups,
): SourceRow | undefined {
  if (personal === null) return undefined;
  const next = { ...row, clear: takeClear(row.clear, set, cleared) };
  if (!personal) return next;
  if (!personal.blind && !TEXT_FIELDS.some((field) => field in personal.set)) return next;
  const before = textsOf(row, keys);
  const after = before && { ...before, ...pick(personal.set, TEXT_FIELDS) };
  const texts = after && textsCell.seal(row.report_id, takeBlind(after, personal.blind), keys);
  return texts && { ...next, texts };
}

/** @returns undefined once the key is destroyed. */
export function textsOf(row: SourceRow, keys: KeyLookups): SourceTexts | undefined {
  return textsCell.open(row.report_id, row.texts, keys);
}

function takeBlind(texts: SourceTexts, blind: BlindIndexes | undefined): SourceTexts {
  return blind ? { ...texts, email: blind.email ?? [], phone: blind.phone ?? [] } : texts;
}

const CLEAR_FIELDS = [
  "amount_cents",
  "check_amount_cents",
  "chargeback_reason",
  "check_reason",
] as const satisfies readonly (keyof ClearReport & keyof SourceClear)[];

function takeClear(
  clear: SourceClear,
  set: Partial<ClearReport>,
  cleared: readonly string[] = [],
): SourceClear {
  const kept = Object.entries(clear).filter(([field]) => !cleared.includes(field));
  const taken = { ...Object.fromEntries(kept), ...pick(set, CLEAR_FIELDS) } as SourceClear;
  if (set.chargebacks)
    taken.reasons = set.chargebacks.flatMap(({ reason }) => (reason ? [reason] : []));
  return taken;
}

function pick<T extends object, K extends string>(from: T, fields: readonly K[]) {
  return Object.fromEntries(
    fields
      .filter((field) => field in from)
      .map((field) => [field, from[field as unknown as keyof T]]),
  );
}
