import { type Static, Type } from "typebox";
import { ASKED_REPORTS, CLAIMABLE_REPORTS, SUMMARISED_REPORTS } from "../account/own-figures.ts";
import { reportFields as f, ReportId, ReportStatusCode, strict } from "../report/fields.ts";
import { ANSWER_CHARS } from "../report/reporter-rules.ts";
import { reply } from "./envelope.ts";
import { FullReport } from "./report-view.ts";
import { OwnResolution } from "./resolution.ts";

const opt = Type.Optional;

/** A report as the account that submitted it sees it in a list. Amounts are decimals. */
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
  /** Address of its page; absent unless it is public. */
  seo_title: opt(Type.String()),
  /** How often its page was read. */
  view_count: Type.Integer(),
  /** There while it is approved: whether someone else has an approved report about the same person. */
  others_reported: opt(Type.Boolean()),
  created_at: Type.String(),
  /** The last question to its reporter; absent when there was none. Its link is in an email. */
  question: opt(
    strict({
      state: Type.Enum(["open", "answered", "withdrawn", "closed"]),
      asked_at: Type.String(),
      ended_at: opt(Type.String()),
    }),
  ),
  /** When it was approved or rejected; absent while it waits. */
  decided_at: opt(Type.String()),
  /** Why it was rejected, while it is. */
  rejection_reason: opt(Type.String()),
});
export type OwnReport = Static<typeof OwnReport>;

/** GET /prod/api/account/reports: newest first. */
export const OwnReportsQuery = strict({
  /** Page token: `next` of the page before. */
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

/** GET /prod/api/account/reports/same-order: whether the account reported an order before. */
export const SameOrderQuery = strict({
  /** The order ID or tracking number. */
  order: Type.String({ minLength: 1, maxLength: 100 }),
  /** The public company name, where the report has one. */
  merchant: opt(Type.String({ minLength: 1, maxLength: 200 })),
});
/** The newest one; null without one. Never a report of anyone else. */
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

/** POST /prod/api/account/reports/{id}/open: one's own report as it was submitted. */
export const OwnReportReply = reply(
  strict({
    id: Type.String({ format: "uuid" }),
    status: ReportStatusCode,
    verified: Type.Boolean(),
    submitted_at: Type.String(),
    /** Whether moderators have changed it since. */
    edited: Type.Boolean(),
    rejection_reason: opt(Type.String()),
    /** The last request for the RESOLVED banner. */
    resolution: opt(OwnResolution),
    report: FullReport,
  }),
);
export type OpenedReport = Static<typeof OwnReportReply>["data"];

/** GET /prod/api/account/reports/claimable: sent from the account's address without an account, newest first. */
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

/** A moderator's question about a report of one's own, which waits for its answer. */
export const AskedOfOwner = strict({
  /** Of the report. */
  id: Type.String({ format: "uuid" }),
  /** Of the report, as in emails. */
  number: Type.String(),
  title: Type.String(),
  /** The reported person. */
  first_name: Type.String(),
  last_name: Type.String(),
  question_id: Type.String({ format: "uuid" }),
  question: Type.String(),
  asked_at: Type.String(),
  /** Until then it can be answered. */
  expires_at: Type.String(),
});
export type AskedOfOwner = Static<typeof AskedOfOwner>;

/** POST /prod/api/account/reports/{id}/answer. 404 `report_not_found`, 400 `link_invalid`, 409 `question_closed`. */
export const AnswerOwnQuestion = strict({
  question_id: ReportId,
  answer: Type.String({ minLength: 1, maxLength: ANSWER_CHARS, pattern: "\\S" }),
});
export type AnswerOwnQuestion = Static<typeof AnswerOwnQuestion>;

/** What the reports of one account come to. Sums stand by currency, and are never added. */
export const OwnReportsSummary = strict({
  reports: Type.Integer({ maximum: SUMMARISED_REPORTS }),
  /** How many have each status; none is absent. */
  statuses: strict({
    pending: Type.Integer(),
    under_review: Type.Integer(),
    approved: Type.Integer(),
    rejected: Type.Integer(),
  }),
  /** Reports that wait for their reporter's address to be confirmed. */
  unconfirmed: Type.Integer(),
  /** How often their pages were read, all together. */
  view_count: Type.Integer(),
  /** What the reports of a month (UTC) say is due, oldest first; months without a report are absent. */
  months: Type.Array(
    strict({
      month: Type.String({ pattern: "^\\d{4}-\\d{2}$" }),
      currency: f.currency,
      reports: Type.Integer(),
      total_due: Type.Number(),
    }),
  ),
  /** What moderators ask about them, first what must be answered first. */
  asked: Type.Array(AskedOfOwner, { maxItems: ASKED_REPORTS }),
});
export type OwnReportsSummary = Static<typeof OwnReportsSummary>;
/** GET /prod/api/account/reports/summary: of the newest 10,000 reports. */
export const OwnReportsSummaryReply = reply(OwnReportsSummary);
