import { createHash } from "node:crypto";
import type { OpenData } from "#contracts/events/definition.ts";
import { asEdit, type ReportEdited } from "#contracts/events/report/report-edited.ts";
import type { BlindIndexes, ReportSubmitted } from "#contracts/events/report/stored-report.ts";
import { subjects } from "#contracts/sealed.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { identityKeys } from "#search/matching.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { KeyedProjection } from "../keyed/keyed-projection.ts";
import type { KeyedTable, ReadModel } from "../keyed/read-model.ts";
import { reportOf } from "../streams.ts";

export const ofReports = {
  filter: { streamPrefixes: ["report-", LOG_STREAM] },
  opens: true,
  erasedBy: ["ReportDeleted", "ReportErased"],
} as const satisfies Partial<KeyedProjection>;

/** Events that change who and what a report names, or whether it is public. */
const HANDLES = [
  "ReportSubmitted",
  "ReportEdited",
  "ReportTextMasked",
  "ReportApproved",
  "ReportRejected",
  "ReportStatusSet",
  "ReportTakenDown",
  "ReportPutBack",
  "ReportDeleted",
  "ReportDeletionUndone",
  "ReportErased",
] as const;

/** How events change a row; undefined once the personal data is erased. Times are RFC 3339. */
interface Steps<Row> {
  submitted(
    id: string,
    data: OpenData<typeof ReportSubmitted>,
    at: string,
    keys: KeyLookups,
  ): Row | undefined;
  edited(row: Row, data: OpenData<typeof ReportEdited>, keys: KeyLookups): Row | undefined;
  approved(row: Row, keys: KeyLookups): Row | undefined;
  /** Columns to clear once the report is no longer public, with their empty values. */
  readonly withdrawn?: Partial<Row>;
}

/** Creates a read model of reports, with sealed columns for values that are public only while approved. */
export function sealedReports<Row extends { readonly approved: boolean }>(
  table: KeyedTable<Row>,
  { submitted, edited, approved, withdrawn }: Steps<Row>,
): ReadModel<Row, (typeof HANDLES)[number]> {
  const withdraw = (row: Row) => (row.approved ? { ...row, approved: false, ...withdrawn } : row);
  return {
    table,
    handles: HANDLES,
    keyOf: ({ stream }) => reportOf(stream),
    subjectOf: subjects.personal,
    evolve(row, { key, event, stored, keys }) {
      const { time } = stored.metadata;
      if (event.type === "ReportSubmitted") return submitted(key, event.data, time, keys) ?? row;
      if (!row) return undefined;
      switch (event.type) {
        case "ReportEdited":
          return edited(row, event.data, keys);
        case "ReportTextMasked":
          return edited(row, asEdit(event.data), keys);
        case "ReportApproved":
          return approved(row, keys);
        case "ReportRejected":
          return event.data.personal === null ? undefined : withdraw(row);
        case "ReportStatusSet":
        case "ReportTakenDown":
        case "ReportDeleted":
          return withdraw(row);
        case "ReportPutBack":
        case "ReportDeletionUndone":
          return event.data.to === "approved" ? approved(row, keys) : row;
        case "ReportErased":
          return undefined;
      }
    },
  };
}

export { sharesOf } from "#search/matching.ts";

/** An entry in a PostgreSQL index is limited to about 2,700 bytes, and names may grow when transliterated. */
const MAX_KEY = 500;

export interface Named {
  readonly first_name: string;
  readonly last_name: string;
  readonly blind: BlindIndexes;
}

/** Returns the report's identity keys, short enough for an index. A long name is replaced by its hash. */
export function storedKeys(report: Named): string[] {
  return identityKeys(report).map((key) => {
    if (key.length <= MAX_KEY) return key;
    const [first = "", last = "", kind = "", hash = ""] = key.split("|");
    const name = createHash("sha256").update(`${first}|${last}`).digest("hex");
    return `#${name}||${kind}|${hash}`;
  });
}
