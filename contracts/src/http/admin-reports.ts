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

/** For how long a reveal opens the files of its report, to the session's account alone. */
export const REVEAL_MS = 15 * 60_000;

/** POST .../reveal */
export const RevealReply = reply(
  Type.Object(
    {
      ...FullReport.properties,
      /** By which its files are fetched for {@link REVEAL_MS}. Absent where the reveal opens none. */
      reveal_id: opt(Type.String({ format: "uuid" })),
      /** The report's files, unless they are erased. Absent when it has none. */
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

/** Filters of the moderators' list. A report must match all that are given. */
export const REPORT_FILTERS = {
  q: opt(Type.String({ maxLength: 200 })),
  status: opt(ReportStatusCode),
  verified: opt(Type.Enum(["true", "false"])),
  report_type: opt(f.report_type),
  reason: opt(codes({ ...CHARGEBACK_REASONS, ...CHECK_REASONS })),
  /** Those that wait for their reporter, or those that were answered. */
  asked: opt(Type.Enum(["waiting", "answered"])),
  /** Those that the queue holds, or those of them that wait longer than a day. */
  to_decide: opt(Type.Enum(["all", "late"])),
  /** Days of the submission in UTC, the last one included. */
  from: opt(CalendarDate),
  to: opt(CalendarDate),
  /** Bounds of the amount, in the report's own currency. */
  amount_min: opt(Amount),
  amount_max: opt(Amount),
  country: opt(f.country),
  state: opt(Type.String({ minLength: 1, maxLength: 60 })),
  /** Part of the name that its reporter has published. */
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
  /** What the queue holds, the same for every moderator: confirmed ones that wait for no reporter, and none of a banned account. */
  to_decide: Type.Integer(),
  /** Pending ones whose reporter has not confirmed the address. */
  unconfirmed: Type.Integer(),
  /** Those whose reporter was asked something, and those whose reporter has answered. */
  waiting: Type.Integer(),
  answered: Type.Integer(),
  /** Deletions that can be undone, and those that wait for another admin. */
  deleted: Type.Integer(),
});
export type StatusCounts = Static<typeof StatusCounts>;

/** The list of the reports that each number counts, but for deleted ones, which have a list of their own: its name, which the number has too, and its filter. */
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
    /** Counted over all reports, whatever the filter. */
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

/** The change of one field. Absent `from` or `to`: no value was given. `hidden`: it is kept back. */
export const FieldChange = strict({
  field: Type.String(),
  from: opt(Type.Unknown()),
  to: opt(Type.Unknown()),
  hidden: opt(Type.Boolean()),
});

/** One event of a report's stream, as an auditor reads it. */
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
    /** First and last name of a member of staff; absent for visitors and reporters. */
    name: opt(Type.String()),
  }),
  origin: Type.String(),
  /** Masked. Absent once the key is destroyed, and for the system. */
  ip_address: opt(Type.String()),
  /** For instance "Firefox on Linux". */
  user_agent: opt(Type.String()),
  /** Status after the event. */
  status: Type.String(),
  verified: Type.Boolean(),
  changes: Type.Array(FieldChange),
  reason: opt(Type.String()),
  reason_code: opt(Type.String()),
  /** Number of the report of which a rejected one is a duplicate. */
  duplicate_of: opt(Type.String()),
  /** The revision whose version the next event brings back. */
  restored: opt(Type.Integer()),
  hash: Type.String(),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

/** GET /prod/api/admin/reports/{id}/history?at=<revision>&against=<revision> */
export const HistoryQuery = strict({
  at: opt(Type.Integer({ minimum: 0 })),
  /** With `at`: the version that it is compared with. */
  against: opt(Type.Integer({ minimum: 0 })),
});
export const HistoryReply = reply(
  strict({
    report_id: Type.String(),
    /** True once the person is erased: no entry holds texts or names anymore. */
    erased: Type.Boolean(),
    events: Type.Array(HistoryEntry),
    /** Who opened the sealed data of this report, and when. */
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
    /** With `against`: what differs between that revision (`from`) and `at` (`to`). */
    difference: opt(Type.Array(FieldChange)),
  }),
);
