import { type Static, Type } from "typebox";
import { reportFields as f, strict } from "../report/fields.ts";
import { REASON_GROUPS } from "../report/reasons.ts";
import { reply } from "./envelope.ts";
import { ReportDetail, ReportSummary, SearchHit, Total } from "./report-view.ts";
import { SEARCH_PAGE_SIZE, SEARCH_SORTS, type SearchSort } from "./search-words.ts";

const opt = Type.Optional;

/** POST /prod/api/reports/submit. What the schema cannot say stands in report/submission-rules.ts. */
export const SubmitReport = strict({
  report_type: f.report_type,
  title: f.title,
  description: f.description,
  first_name: f.first_name,
  last_name: f.last_name,
  middle_initial: opt(f.middle_initial),
  email: opt(f.email),
  phone: opt(f.phone),
  item_purchased: opt(f.item_purchased),
  tracking_number: opt(f.tracking_number),
  ip_address: opt(f.ip_address),
  shipping_status: opt(f.shipping_status),
  street_address: opt(f.street_address),
  city: f.city,
  state: f.state,
  zip: f.zip,
  country: opt(f.country),
  currency: opt(f.currency),
  amount: opt(f.amount),
  transaction_date: opt(f.transaction_date),
  chargeback_date: opt(f.chargeback_date),
  chargeback_reason: opt(f.chargeback_reason),
  chargeback_fee: opt(f.chargeback_fee),
  other_fees: opt(f.other_fees),
  total_due: opt(f.total_due),
  resolution_status: opt(f.resolution_status),
  notes: opt(f.notes),
  chargebacks: opt(f.chargebacks),
  first_6: opt(f.first_6),
  last_4: opt(f.last_4),
  check_number: opt(f.check_number),
  bank_name: opt(f.bank_name),
  bank_routing: opt(f.bank_routing),
  bank_account: opt(f.bank_account),
  check_amount: opt(f.check_amount),
  check_date: opt(f.check_date),
  check_reason: opt(f.check_reason),
  reporter_first_name: f.reporter_first_name,
  reporter_last_name: f.reporter_last_name,
  reporter_email: f.reporter_email,
  reporter_phone: opt(f.reporter_phone),
  reporter_company_name: opt(f.reporter_company_name),
  public_username: opt(f.public_username),
  terms_accepted: Type.Literal(true),
});
export type SubmitReport = Static<typeof SubmitReport>;
export const SubmitReply = reply(
  strict({ id: Type.String({ format: "uuid" }), status: Type.Literal("pending") }),
);

/** POST /prod/api/reports/{id}/resend-verification. The answer is always the same. */
export const ResendVerification = strict({ email: f.reporter_email });

/** GET /prod/api/reports/{seoTitle} */
export const ReportDetailReply = reply(ReportDetail);

/** GET /prod/api/reports/recent. `admin_view=true` is for admins and shows every status. */
export const RecentQuery = strict({
  limit: opt(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
  admin_view: opt(Type.Enum(["true", "false"])),
});
export const RecentReply = reply(Type.Array(ReportSummary, { maxItems: 200 }));

export { SEARCH_PAGE_SIZE, SEARCH_SORTS, type SearchSort };

/** GET /prod/api/reports/search */
export const SearchQuery = strict({
  q: opt(Type.String({ maxLength: 200 })),
  state: opt(Type.String({ pattern: "^[A-Za-z]{2,3}$" })),
  min: opt(f.amount),
  max: opt(f.amount),
  /** A group of the search menu. */
  reason: opt(Type.Enum(Object.keys(REASON_GROUPS) as [string, ...string[]])),
  sort: opt(Type.Enum(Object.keys(SEARCH_SORTS) as [SearchSort, ...SearchSort[]])),
  /** Page token: a reply's `next` or `previous`. */
  page: opt(Type.String({ maxLength: 1000 })),
  size: opt(Type.Integer({ minimum: 1, maximum: 50, default: SEARCH_PAGE_SIZE })),
});
export type SearchQuery = Static<typeof SearchQuery>;

export const SearchResult = strict({
  reports: Type.Array(SearchHit),
  /** Exact up to 10,000; then 10,000 with `total_capped`, shown as "10,000+". */
  total: Type.Integer(),
  total_capped: Type.Boolean(),
  /** Number of this page, from 1. */
  page: Type.Integer(),
  pages: Type.Integer(),
  next: Type.Union([Type.String(), Type.Null()]),
  previous: Type.Union([Type.String(), Type.Null()]),
});
export type SearchResult = Static<typeof SearchResult>;
export const SearchReply = reply(SearchResult);

/** A person with two or more approved reports. */
export const HabitualOffender = strict({
  first_name: Type.String(),
  last_name: Type.String(),
  report_count: Type.Integer(),
  /** The sum in US dollars; the others stand in `totals`. */
  total_amount: Type.Number(),
  totals: Type.Array(Total),
  shares: Type.Array(Type.String()),
  latest_report: strict({
    title: Type.String(),
    description: Type.String(),
    city: Type.String(),
    state: Type.String(),
    seo_title: Type.String(),
    created_at: Type.String(),
  }),
});
export type HabitualOffender = Static<typeof HabitualOffender>;

/** GET /prod/api/habitual-offenders: most reports first, then the largest sum in US dollars. */
export const OffendersQuery = strict({
  limit: opt(Type.Integer({ minimum: 1, maximum: 50, default: 50 })),
});
export const OffendersReply = reply(Type.Array(HabitualOffender));
