import { type Static, type TObject, Type } from "typebox";
import {
  CalendarDate,
  codes,
  reportFields as f,
  ReportId,
  ReportStatusCode,
  strict,
} from "../report/fields.ts";
import { CHARGEBACK_REASONS, CHECK_REASONS } from "../report/reasons.ts";
import { REPORT_STATUSES } from "../report/words.ts";
import { reply } from "./envelope.ts";
import { AdminReport, AdminReportDetail, FullReport } from "./report-view.ts";

const opt = Type.Optional;

/** The report's state after a command. */
export const ReportState = strict({
  id: Type.String({ format: "uuid" }),
  status: Type.Union([ReportStatusCode, Type.Literal("deleted")]),
  verified: Type.Boolean(),
  revision: Type.Integer(),
});
export const CommandReply = reply(ReportState);

/** How long a reveal opens its report's files, for the session's account only. */
export const REVEAL_MS = 15 * 60_000;

/** POST .../reveal */
export const RevealReply = reply(
  Type.Object(
    {
      ...FullReport.properties,
      /** ID for fetching its files during {@link REVEAL_MS}. Absent if the reveal opens none. */
      reveal_id: opt(Type.String({ format: "uuid" })),
      /** The report's files that are not erased. Absent if it has none. */
      evidence: opt(
        Type.Array(
          strict({
            file_id: Type.String(),
            name: Type.String(),
            type: Type.String(),
            bytes: Type.Integer(),
          }),
        ),
      ),
    },
    { additionalProperties: false },
  ),
);

const Amount = Type.String({ pattern: "^\\d{1,9}(\\.\\d{1,2})?$" });

/** Filters of the moderators' list. A report must match all given ones. */
export const REPORT_FILTERS = {
  q: opt(Type.String({ maxLength: 200 })),
  status: opt(ReportStatusCode),
  verified: opt(Type.Enum(["true", "false"])),
  report_type: opt(f.report_type),
  reason: opt(codes({ ...CHARGEBACK_REASONS, ...CHECK_REASONS })),
  /** Reports that are waiting for their reporter, or that were answered. */
  asked: opt(Type.Enum(["waiting", "answered"])),
  /** Reports in the queue, or those of them that have waited longer than a day. */
  to_decide: opt(Type.Enum(["all", "late"])),
  /** Days of submission in UTC, inclusive. */
  from: opt(CalendarDate),
  to: opt(CalendarDate),
  /** Range of the amount, in the report's own currency. */
  amount_min: opt(Amount),
  amount_max: opt(Amount),
  country: opt(f.country),
  state: opt(Type.String({ minLength: 1, maxLength: 60 })),
  /** Part of the reporter's published name. */
  reporter: opt(Type.String({ minLength: 1, maxLength: 100 })),
  evidence: opt(Type.Enum(["with", "without"])),
};
export type ReportFilters = Static<TObject<typeof REPORT_FILTERS>>;

/** GET /prod/api/admin/reports */
export const AdminReportsQuery = strict({
  page: opt(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })),
  limit: opt(Type.Integer({ minimum: 1, maximum: 200, default: 25 })),
  ...REPORT_FILTERS,
  sort: opt(Type.Enum(["created_at", "updated_at", "last_name", "amount", "status"])),
  order: opt(Type.Enum(["asc", "desc"])),
});
export type AdminReportsQuery = Static<typeof AdminReportsQuery>;
export const StatusCounts = strict({
  pending: Type.Integer(),
  under_review: Type.Integer(),
  approved: Type.Integer(),
  rejected: Type.Integer(),
  /**
   * Size of the queue, the same for every moderator: confirmed reports that are not waiting for their reporter,
   * except those of banned accounts.
   */
  to_decide: Type.Integer(),
  /** Pending reports whose reporter has not confirmed the address. */
  unconfirmed: Type.Integer(),
  /** Reports whose reporter was asked a question, and those whose reporter has answered. */
  waiting: Type.Integer(),
  answered: Type.Integer(),
  /** Deletions that can be undone, and those that are waiting for another admin. */
  deleted: Type.Integer(),
});
export type StatusCounts = Static<typeof StatusCounts>;

/**
 * For each count except `deleted`, which has its own list: the name of its list and of the count, and the list's
 * filter.
 */
export const REPORT_LISTS = {
  to_decide: { name: "To decide", filter: { to_decide: "all" } },
  pending: { name: REPORT_STATUSES.pending, filter: { status: "pending" } },
  under_review: { name: REPORT_STATUSES.under_review, filter: { status: "under_review" } },
  approved: { name: REPORT_STATUSES.approved, filter: { status: "approved" } },
  rejected: { name: REPORT_STATUSES.rejected, filter: { status: "rejected" } },
  unconfirmed: { name: "Unconfirmed", filter: { status: "pending", verified: "false" } },
  answered: { name: "Answered", filter: { asked: "answered" } },
  waiting: { name: "Waiting for reporter", filter: { asked: "waiting" } },
} as const satisfies Readonly<
  Record<
    Exclude<keyof StatusCounts, "deleted">,
    { readonly name: string; readonly filter: ReportFilters }
  >
>;
export const AdminReportsReply = reply(
  strict({
    reports: Type.Array(AdminReport),
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    /** Counts over all reports, regardless of the filter. */
    counts: StatusCounts,
  }),
);
/** GET /prod/admin/reports/{id}. The reply is the bare record, as ra-data-simple-rest expects it. */
export const AdminReportRecord = AdminReportDetail;

/** GET /prod/api/reports/all. The `emergency_...` parameters are commands that an admin sends with a single GET. */
export const AllReportsQuery = strict({
  limit: opt(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
});
export const EmergencyQuery = strict({
  emergency_approve: opt(Type.Literal("true")),
  emergency_delete: opt(Type.Literal("true")),
  emergency_verify: opt(Type.Literal("true")),
  emergency_edit: opt(Type.Literal("true")),
  report_id: ReportId,
  /** base64 (or base64url) of an EditReport's JSON */
  edit_data: opt(Type.String({ maxLength: 100_000 })),
});
export const AllReportsReply = reply(Type.Array(AdminReport, { maxItems: 200 }));

/** The change of one field. Absent `from` or `to`: no value was given. `hidden`: the values are withheld. */
export const FieldChange = strict({
  field: Type.String(),
  from: opt(Type.Unknown()),
  to: opt(Type.Unknown()),
  hidden: opt(Type.Boolean()),
});

/** One event of a report's stream, as auditors see it. */
export const HistoryEntry = strict({
  id: Type.String(),
  revision: Type.Integer(),
  position: Type.String(),
  type: Type.String(),
  command: Type.String(),
  at: Type.String(),
  actor: strict({
    id: Type.String(),
    role: Type.String(),
    /** First and last name of a staff member; absent for visitors and reporters. */
    name: opt(Type.String()),
  }),
  origin: Type.String(),
  /** Masked. Absent once the key is destroyed, and for the system. */
  ip_address: opt(Type.String()),
  /** For example "Firefox on Linux". */
  user_agent: opt(Type.String()),
  /** Status after the event. */
  status: Type.String(),
  verified: Type.Boolean(),
  changes: Type.Array(FieldChange),
  reason: opt(Type.String()),
  reason_code: opt(Type.String()),
  /** Number of the report that a rejected one duplicates. */
  duplicate_of: opt(Type.String()),
  /** The revision that the next event restores. */
  restored: opt(Type.Integer()),
  hash: Type.String(),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

/** GET /prod/api/admin/reports/{id}/history?at=<revision>&against=<revision> */
export const HistoryQuery = strict({
  at: opt(Type.Integer({ minimum: 0 })),
  /** With `at`: the revision to compare it with. */
  against: opt(Type.Integer({ minimum: 0 })),
});
export const HistoryReply = reply(
  strict({
    report_id: Type.String(),
    /** True once the person is erased: entries then hold no texts or names. */
    erased: Type.Boolean(),
    events: Type.Array(HistoryEntry),
    /** Who opened this report's sealed data, and when. */
    reveals: Type.Array(
      strict({
        id: Type.String(),
        at: Type.String(),
        actor: strict({ id: Type.String(), role: Type.String(), name: opt(Type.String()) }),
        ip_address: opt(Type.String()),
      }),
    ),
    /** With `at`: the report as of that revision, masked for the reader. */
    report: opt(Type.Unknown()),
    /** With `against`: differences from that revision (`from`) to `at` (`to`). */
    difference: opt(Type.Array(FieldChange)),
  }),
);
