import { type Static, Type } from "typebox";
import { ReportStatusCode, strict } from "../report/fields.ts";
import { DEFAULT_PERIOD, PERIOD_NAMES, PERIODS } from "../report/periods.ts";
import { reply } from "./envelope.ts";
import { Total } from "./report-view.ts";

const Day = Type.String({ description: "YYYY-MM-DD, a day in UTC" });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);
/** Minutes from when a report began to wait until it was decided, at most 5 % off; null without one. */
const Minutes = orNull(Type.Number());
const Totals = Type.Array(Total);

const counted = {
  /** Reports that were submitted. */
  submitted: Type.Integer(),
  /** Reports that were decided, by what they are now. */
  approved: Type.Integer(),
  rejected: Type.Integer(),
  /** What the submitted reports say is owed, by currency, fees and additional chargebacks included. */
  submitted_totals: Totals,
  /** The same of those that were approved. */
  approved_totals: Totals,
  /** Half of the decided reports waited no longer than this. */
  median_minutes: Minutes,
  /** 95 of 100 decided reports waited no longer than this. */
  p95_minutes: Minutes,
};

/** Figures of a span of days, first and last included. */
export const SpanFigures = strict({ from: Day, to: Day, ...counted });
export type SpanFigures = Static<typeof SpanFigures>;

/** Figures of a period, and of its points in order. */
export const PeriodFigures = strict({
  /** What one point is. The first and the last may be cut by the period. */
  step: Type.Enum(["day", "week", "month"]),
  total: SpanFigures,
  /** The same number of days right before. */
  previous: SpanFigures,
  points: Type.Array(SpanFigures, { maxItems: 100 }),
});
export type PeriodFigures = Static<typeof PeriodFigures>;

/** Who sent confirmed or approved reports of the period: an account, or an address of visitors. */
export const TopReporter = strict({
  /** Public name on the newest report, else the masked address; null once neither is left. */
  name: orNull(Type.String()),
  /** The account, for one that was signed in or claimed the reports. */
  account_id: Type.Optional(Type.String()),
  reports: Type.Integer(),
  approved: Type.Integer(),
  totals: Totals,
});
export type TopReporter = Static<typeof TopReporter>;

/** Someone with two or more approved reports, of which at least one was submitted in the period. */
export const TopOffender = strict({
  first_name: Type.String(),
  last_name: Type.String(),
  /** Address of the newest report's page. */
  seo_title: Type.String(),
  /** Approved reports of the period, and of all time. */
  reports: Type.Integer(),
  all_reports: Type.Integer(),
  /** What the reports of the period say is owed. */
  totals: Totals,
});
export type TopOffender = Static<typeof TopOffender>;

/** How many reporters and offenders are named. */
export const MOST_NAMED = 10;

const parts = {
  figures: PeriodFigures,
  top_reporters: Type.Array(TopReporter, { maxItems: MOST_NAMED }),
  top_offenders: Type.Array(TopOffender, { maxItems: MOST_NAMED }),
};
const ANALYTICS_PARTS = Object.keys(parts) as (keyof typeof parts)[];

/** What the registry's figures were over a period. A part that could not be read is null. */
export const Analytics = strict({
  period: Type.Enum(PERIOD_NAMES),
  time_zone: Type.Literal("UTC"),
  figures: orNull(parts.figures),
  top_reporters: orNull(parts.top_reporters),
  top_offenders: orNull(parts.top_offenders),
  failed: Type.Array(Type.Enum(ANALYTICS_PARTS)),
});
export type Analytics = Static<typeof Analytics>;

/** GET /prod/api/admin/analytics. `30d` is another name of `30days`. */
export const AnalyticsQuery = strict({
  period: Type.Optional(
    Type.Enum([...(Object.keys(PERIODS) as typeof PERIOD_NAMES), "30d"], {
      default: DEFAULT_PERIOD,
    }),
  ),
});
export const AnalyticsReply = reply(Analytics);

/** What the registry holds now, over approved reports. */
export const RegistryFigures = strict({
  reports: Type.Integer(),
  /** Different persons, as far as the reports show that they are. */
  people: Type.Integer(),
  /** What was reported as due, by currency; sums of two currencies are never added. */
  totals: Type.Array(Total),
  /** When the newest report was submitted, RFC 3339; null while there is none. */
  newest_at: Type.Union([Type.String(), Type.Null()]),
});
export type RegistryFigures = Static<typeof RegistryFigures>;

/** GET /prod/api/figures: at most a minute old. */
export const FiguresReply = reply(RegistryFigures);

/** How many reports `activity` has. */
export const RECENT_ACTIVITY = 5;

const dashboardParts = {
  /** Accounts that are not over; `new` in the last 30 days, `pending` without a confirmed address, `banned` now. */
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
  /** The reports that something happened to last, newest first. */
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
  figures: PeriodFigures,
  /** What the service that answers reads sees of itself, its stores and the read models. */
  health: strict({
    status: Type.Enum(["healthy", "degraded"]),
    checks: Type.Array(strict({ name: Type.String(), ok: Type.Boolean() })),
  }),
};
type DashboardPart = keyof typeof dashboardParts;
const DASHBOARD_PARTS = Object.keys(dashboardParts) as DashboardPart[];

/** What needs a look today. A part that could not be read is null. */
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
