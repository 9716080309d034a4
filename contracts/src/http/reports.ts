import { type Static, Type } from "typebox";
import { catalogue } from "../report/catalogue.ts";
import { codes, reportFields as f, strict, submissionSchemas } from "../report/fields.ts";
import { REASON_GROUPS } from "../report/reasons.ts";
import { COUNTRIES, RESOLUTION_STATUSES } from "../report/words.ts";
import { reply } from "./envelope.ts";
import { NamedUploads } from "./evidence.ts";
import { ReportDetail, SearchHit, Total } from "./report-view.ts";
import { SEARCH_PAGE_SIZE, SEARCH_SORTS, type SearchSort } from "./search-messages.ts";

/** GET /prod/api/samples */
export const SamplesReply = reply(
  strict({
    /** Whether sample reports were loaded and have not been cleared since. */
    loaded: Type.Boolean(),
  }),
);

const opt = Type.Optional;

/** POST /prod/api/reports/submit. Rules that a schema cannot express are in report/submission-rules.ts. */
export const SubmitReport = strict({
  ...submissionSchemas(catalogue, f),
  terms_accepted: Type.Literal(true),
  /** Version of the terms that the reporter saw; the current one if absent. Outdated ones are rejected. */
  terms_version: opt(Type.String({ minLength: 1, maxLength: 40 })),
  /** Previously uploaded files. */
  evidence: opt(NamedUploads),
});
export type SubmitReport = Static<typeof SubmitReport>;
export const SubmitReply = reply(
  strict({
    id: Type.String({ format: "uuid" }),
    status: Type.Literal("pending"),
    /** Set if the same request had already arrived with this Idempotency-Key. */
    repeated: opt(Type.Literal(true)),
    /** Reference number, as in the emails about it. */
    number: Type.String(),
    /** Set if there is nothing left to confirm: the submitting account has confirmed the address. */
    confirmed: opt(Type.Literal(true)),
    /** Corrects the report's address for two days, until it is confirmed. Never put it in a page's URL. */
    correction_token: opt(Type.String()),
  }),
);

/** POST /prod/api/reports/{id}/resend-verification. The reply is always the same. */
export const ResendVerification = strict({ email: f.reporter_email });

/** GET /prod/api/reports/{seoTitle} */
export const ReportDetailReply = reply(ReportDetail);

/** GET /prod/api/reports/recent. `admin_view=true` is for admins and shows every status. */
export const RecentQuery = strict({
  limit: opt(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
  admin_view: opt(Type.Enum(["true", "false"])),
});

export { SEARCH_PAGE_SIZE, SEARCH_SORTS, type SearchSort };

/** GET /prod/api/reports/search */
export const SearchQuery = strict({
  q: opt(Type.String({ maxLength: 200 })),
  state: opt(Type.String({ pattern: "^[A-Za-z]{2,3}$" })),
  country: opt(codes(COUNTRIES)),
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

/** The page's place in a list, and the tokens of its neighbors. */
const paged = {
  /** Exact up to 10,000. Above that it is 10,000 with `total_capped`, shown as "10,000+". */
  total: Type.Integer(),
  total_capped: Type.Boolean(),
  /** Number of this page, counted from 1. */
  page: Type.Integer(),
  pages: Type.Integer(),
  next: Type.Union([Type.String(), Type.Null()]),
  previous: Type.Union([Type.String(), Type.Null()]),
};
export const SearchResult = strict({ reports: Type.Array(SearchHit), ...paged });
export type SearchResult = Static<typeof SearchResult>;
export const SearchReply = reply(SearchResult);

/** A person with two or more approved reports. */
export const HabitualOffender = strict({
  first_name: Type.String(),
  last_name: Type.String(),
  report_count: Type.Integer(),
  /** Total in US dollars; other currencies are in `totals`. */
  total_amount: Type.Number(),
  totals: Type.Array(Total),
  shares: Type.Array(Type.String()),
  latest_report: strict({
    title: Type.String(),
    description: Type.String(),
    city: Type.String(),
    state: Type.String(),
    country: codes(COUNTRIES),
    seo_title: Type.String(),
    created_at: Type.String(),
    resolution_status: codes(RESOLUTION_STATUSES),
    /** Whether it shows the RESOLVED banner. */
    resolved: Type.Boolean(),
  }),
});
export type HabitualOffender = Static<typeof HabitualOffender>;

/** GET /prod/api/habitual-offenders: most reports first, then the largest sum in US dollars. */
export const OffendersQuery = strict({
  limit: opt(Type.Integer({ minimum: 1, maximum: 50, default: 50 })),
});
export const OffendersReply = reply(Type.Array(HabitualOffender));

/** GET /prod/api/habitual-offenders/all: the same order, page by page. */
export const OffenderPagesQuery = strict({
  /** Page token: a reply's `next` or `previous`. */
  page: opt(Type.String({ maxLength: 1000 })),
});
export const OffenderPage = strict({ offenders: Type.Array(HabitualOffender), ...paged });
export type OffenderPage = Static<typeof OffenderPage>;
export const OffenderPageReply = reply(OffenderPage);
