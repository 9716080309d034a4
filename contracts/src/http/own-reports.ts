import { type Static, Type } from "typebox";
import { reportFields as f, ReportStatusCode, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

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
  /** Address of its page; absent unless it is public. */
  seo_title: opt(Type.String()),
  /** How often its page was read. */
  view_count: Type.Integer(),
  created_at: Type.String(),
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
