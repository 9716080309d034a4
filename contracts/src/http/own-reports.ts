import { type Static, Type } from "typebox";
import { ASKED_REPORTS, CLAIMABLE_REPORTS, SUMMARIZED_REPORTS } from "../account/own-figures.ts";
import { reportFields as f, ReportId, ReportStatusCode, strict } from "../report/fields.ts";
import { ANSWER_CHARS } from "../report/reporter-rules.ts";
import { reply } from "./envelope.ts";
import { FullReport } from "./report-view.ts";
import { OwnResolution } from "./resolution.ts";

const opt = Type.Optional;

/** A report in the list of the account that submitted it. Amounts are decimals. */
export const OwnReport = strict({
  id: Type.String({ format: "uuid" }),
  report_type: f.report_type,
  title: Type.String(),
  /** The reported person. */
  first_name: Type.String(),
  last_name: Type.String(),
  currency: f.currency,
  amount: Type.Number(),
  total_due: Type.Number(),
  status: ReportStatusCode,
  /** Whether the reporter's address is confirmed. */
  verified: Type.Boolean(),
  /** Whether it shows the RESOLVED banner. */
  resolved: Type.Boolean(),
  /** Slug of its page; absent unless it is public. */
  seo_title: opt(Type.String()),
  view_count: Type.Integer(),
  /** Present while it is approved: whether someone else has an approved report about the same person. */
  others_reported: opt(Type.Boolean()),
  created_at: Type.String(),
  /** The latest question to its reporter; absent if there was none. Its link is in an email. */
  question: opt(
    strict({
      state: Type.Enum(["open", "answered", "withdrawn", "closed"]),
      asked_at: Type.String(),
      ended_at: opt(Type.String()),
    }),
  ),
  /** When it was approved or rejected; absent until then. */
  decided_at: opt(Type.String()),
  /** Present while it is rejected. */
  rejection_reason: opt(Type.String()),
});
export type OwnReport = Static<typeof OwnReport>;

/** GET /prod/api/account/reports: newest first. */
export const OwnReportsQuery = strict({
  /** Page token: `next` of the previous page. */
  page: opt(Type.String({ minLength: 1, maxLength: 300 })),
  size: opt(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
});
export const OwnReportsReply = reply(
  strict({
    reports: Type.Array(OwnReport, { maxItems: 50 }),
    /** Token of the next page; null on the last. */
    next: Type.Union([Type.String(), Type.Null()]),
  }),
);

/** GET /prod/api/account/reports/same-order: whether the account has already reported an order. */
export const SameOrderQuery = strict({
  /** The order ID or tracking number. */
  order: Type.String({ minLength: 1, maxLength: 100 }),
  /** The public company name, if the report has one. */
  merchant: opt(Type.String({ minLength: 1, maxLength: 200 })),
});
/** The newest one, or null. Never another account's report. */
export const SameOrderReply = reply(
  strict({
    report: Type.Union([
      strict({
        id: Type.String({ format: "uuid" }),
        status: ReportStatusCode,
        /** When it was submitted. */
        created_at: Type.String(),
      }),
      Type.Null(),
    ]),
  }),
);
export type SameOrder = Static<typeof SameOrderReply>["data"]["report"];

/** POST /prod/api/account/reports/{id}/open: the account's own report, as submitted. */
export const OwnReportReply = reply(
  strict({
    id: Type.String({ format: "uuid" }),
    status: ReportStatusCode,
    verified: Type.Boolean(),
    submitted_at: Type.String(),
    /** Whether moderators have edited it since. */
    edited: Type.Boolean(),
    rejection_reason: opt(Type.String()),
    /** The latest request for the RESOLVED banner. */
    resolution: opt(OwnResolution),
    report: FullReport,
  }),
);
export type OpenedReport = Static<typeof OwnReportReply>["data"];

/**
 * GET /prod/api/account/reports/claimable: reports sent from the account's address without an account, newest
 * first.
 */
export const ClaimableReportsReply = reply(
  strict({
    reports: Type.Array(
      strict({
        id: Type.String({ format: "uuid" }),
        title: Type.String(),
        first_name: Type.String(),
        last_name: Type.String(),
        status: ReportStatusCode,
        created_at: Type.String(),
      }),
      { maxItems: CLAIMABLE_REPORTS },
    ),
    /** Whether there are more than these. */
    has_more: Type.Boolean(),
  }),
);
export type ClaimableReports = Static<typeof ClaimableReportsReply>["data"];

/** A moderator's unanswered question about one of the account's own reports. */
export const AskedOfOwner = strict({
  /** ID of the report. */
  id: Type.String({ format: "uuid" }),
  /** Number of the report, as in emails. */
  number: Type.String(),
  title: Type.String(),
  /** The reported person. */
  first_name: Type.String(),
  last_name: Type.String(),
  question_id: Type.String({ format: "uuid" }),
  question: Type.String(),
  asked_at: Type.String(),
  /** Deadline for an answer. */
  expires_at: Type.String(),
});
export type AskedOfOwner = Static<typeof AskedOfOwner>;

/** POST /prod/api/account/reports/{id}/answer. 404 `report_not_found`, 400 `link_invalid`, 409 `question_closed`. */
export const AnswerOwnQuestion = strict({
  question_id: ReportId,
  answer: Type.String({ minLength: 1, maxLength: ANSWER_CHARS, pattern: "\\S" }),
});
export type AnswerOwnQuestion = Static<typeof AnswerOwnQuestion>;

/** Totals over the reports of one account. Amounts are listed by currency and never added up. */
export const OwnReportsSummary = strict({
  reports: Type.Integer({ maximum: SUMMARIZED_REPORTS }),
  /** Number of reports by status; none is absent. */
  statuses: strict({
    pending: Type.Integer(),
    under_review: Type.Integer(),
    approved: Type.Integer(),
    rejected: Type.Integer(),
  }),
  /** Reports whose reporter's address is not confirmed yet. */
  unconfirmed: Type.Integer(),
  /** Page views of all reports together. */
  view_count: Type.Integer(),
  /** Amounts due in the reports of a month (UTC), oldest first; months without reports are absent. */
  months: Type.Array(
    strict({
      month: Type.String({ pattern: "^\\d{4}-\\d{2}$" }),
      currency: f.currency,
      reports: Type.Integer(),
      total_due: Type.Number(),
    }),
  ),
  /** Moderators' questions about them, earliest deadline first. */
  asked: Type.Array(AskedOfOwner, { maxItems: ASKED_REPORTS }),
});
export type OwnReportsSummary = Static<typeof OwnReportsSummary>;
/** GET /prod/api/account/reports/summary: over the newest 10,000 reports. */
export const OwnReportsSummaryReply = reply(OwnReportsSummary);
