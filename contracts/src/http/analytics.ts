import { type Static, Type } from "typebox";
import { ReportStatusCode, strict } from "../report/fields.ts";
import { DEFAULT_PERIOD, PERIOD_NAMES, PERIODS } from "../report/periods.ts";
import { reply } from "./envelope.ts";
import { Total } from "./report-view.ts";

const Day = Type.String({ description: "YYYY-MM-DD (UTC)" });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);
/** Minutes from when a report began to wait until its decision, accurate to 5%; null if there is none. */
const Minutes = orNull(Type.Number());
const Totals = Type.Array(Total);

const counted = {
  submitted: Type.Integer(),
  /** Reports decided, by their current status. */
  approved: Type.Integer(),
  rejected: Type.Integer(),
  /** Amounts due in the submitted reports, by currency, including fees and additional chargebacks. */
  submitted_totals: Totals,
  approved_totals: Totals,
  /** Median wait of the decided reports. */
  median_minutes: Minutes,
  p95_minutes: Minutes,
};

/** Statistics for a span of days, inclusive. */
export const SpanStats = strict({ from: Day, to: Day, ...counted });
export type SpanStats = Static<typeof SpanStats>;

/** Statistics for a period, and for its points in order. */
export const PeriodStats = strict({
  /** Length of a point. The first and the last may be cut off by the period. */
  step: Type.Enum(["day", "week", "month"]),
  total: SpanStats,
  /** The same number of days immediately before. */
  previous: SpanStats,
  points: Type.Array(SpanStats, { maxItems: 100 }),
});
export type PeriodStats = Static<typeof PeriodStats>;

/** A reporter with confirmed or approved reports in the period: an account, or a visitor's address. */
export const TopReporter = strict({
  /** Public name on the newest report, otherwise the masked address; null once both are gone. */
  name: orNull(Type.String()),
  /** The account, if the reporter was signed in or claimed the reports. */
  account_id: Type.Optional(Type.String()),
  reports: Type.Integer(),
  approved: Type.Integer(),
  totals: Totals,
});
export type TopReporter = Static<typeof TopReporter>;

/** A person with two or more approved reports, at least one of them submitted in the period. */
export const TopOffender = strict({
  first_name: Type.String(),
  last_name: Type.String(),
  /** Slug of the newest report's page. */
  seo_title: Type.String(),
  /** Approved reports in the period, and of all time. */
  reports: Type.Integer(),
  all_reports: Type.Integer(),
  /** Amounts due in the reports of the period. */
  totals: Totals,
});
export type TopOffender = Static<typeof TopOffender>;

/** Maximum number of reporters and offenders listed. */
export const MAX_NAMED = 10;

const parts = {
  figures: PeriodStats,
  top_reporters: Type.Array(TopReporter, { maxItems: MAX_NAMED }),
  top_offenders: Type.Array(TopOffender, { maxItems: MAX_NAMED }),
};
const ANALYTICS_PARTS = Object.keys(parts) as (keyof typeof parts)[];

/** Statistics of the registry for a period. A part that could not be read is null. */
export const Analytics = strict({
  period: Type.Enum(PERIOD_NAMES),
  time_zone: Type.Literal("UTC"),
  figures: orNull(parts.figures),
  top_reporters: orNull(parts.top_reporters),
  top_offenders: orNull(parts.top_offenders),
  failed: Type.Array(Type.Enum(ANALYTICS_PARTS)),
});
export type Analytics = Static<typeof Analytics>;

/** GET /prod/api/admin/analytics. `30d` is an alias for `30days`. */
export const AnalyticsQuery = strict({
  period: Type.Optional(
    Type.Enum([...(Object.keys(PERIODS) as typeof PERIOD_NAMES), "30d"], {
      default: DEFAULT_PERIOD,
    }),
  ),
});
export const AnalyticsReply = reply(Analytics);

/** Current totals of the registry, over approved reports. */
export const RegistryStats = strict({
  reports: Type.Integer(),
  /** Distinct people, as far as the reports show that they are. */
  people: Type.Integer(),
  /** Amounts reported as due, by currency; currencies are never added up. */
  totals: Type.Array(Total),
  /** When the newest report was submitted, RFC 3339; null if there is none. */
  newest_at: Type.Union([Type.String(), Type.Null()]),
});
export type RegistryStats = Static<typeof RegistryStats>;

/** GET /prod/api/figures: at most one minute old. */
export const StatsReply = reply(RegistryStats);

/** Number of reports in `activity`. */
export const RECENT_ACTIVITY = 5;

const dashboardParts = {
  /** Accounts that have not ended: `new` in the last 30 days, `pending` without a confirmed address, `banned` now. */
  users: strict({
    total: Type.Integer(),
    new: Type.Integer(),
    pending: Type.Integer(),
    banned: Type.Integer(),
  }),
  /** Reports that are not deleted, by status. */
  reports: strict({
    total: Type.Integer(),
    statuses: Type.Array(
      strict({ status: ReportStatusCode, reports: Type.Integer(), totals: Type.Array(Total) }),
    ),
  }),
  /** The most recently changed reports, newest first. */
  activity: Type.Array(
    strict({
      id: Type.String({ format: "uuid" }),
      first_name: Type.String(),
      last_name: Type.String(),
      status: ReportStatusCode,
      /** RFC 3339 */
      updated_at: Type.String(),
      /** Masked; absent once the reporter is erased. */
      reporter_email: Type.Optional(Type.String()),
    }),
    { maxItems: RECENT_ACTIVITY },
  ),
  /** The last 30 days. */
  figures: PeriodStats,
  /** Health of query-api, its stores and the read models, as query-api sees it. */
  health: strict({
    status: Type.Enum(["healthy", "degraded"]),
    checks: Type.Array(strict({ name: Type.String(), ok: Type.Boolean() })),
  }),
};
type DashboardPart = keyof typeof dashboardParts;
const DASHBOARD_PARTS = Object.keys(dashboardParts) as DashboardPart[];

/** The admins' dashboard. A part that could not be read is null. */
export const Dashboard = strict({
  users: orNull(dashboardParts.users),
  reports: orNull(dashboardParts.reports),
  activity: orNull(dashboardParts.activity),
  figures: orNull(dashboardParts.figures),
  health: orNull(dashboardParts.health),
  failed: Type.Array(Type.Enum(DASHBOARD_PARTS)),
});
export type Dashboard = Static<typeof Dashboard>;

/** GET /prod/api/admin/dashboard */
export const DashboardReply = reply(Dashboard);
