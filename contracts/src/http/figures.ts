import { type Static, Type } from "typebox";
import { ReportStatusCode, strict } from "../report/fields.ts";
import { PeriodFigures } from "./analytics.ts";
import { reply } from "./envelope.ts";
import { Total } from "./report-view.ts";

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

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);

/** How many reports `activity` has. */
export const RECENT_ACTIVITY = 5;

const parts = {
  /**
   * Accounts that are not over; `new` are those of the last 30 days, `pending` have no confirmed address, `banned`
   * are so now.
   */
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
type DashboardPart = keyof typeof parts;
const DASHBOARD_PARTS = Object.keys(parts) as DashboardPart[];

/** What needs a look today. A part that could not be read is null. */
export const Dashboard = strict({
  users: orNull(parts.users),
  reports: orNull(parts.reports),
  activity: orNull(parts.activity),
  figures: orNull(parts.figures),
  health: orNull(parts.health),
  failed: Type.Array(Type.Enum(DASHBOARD_PARTS)),
});
export type Dashboard = Static<typeof Dashboard>;

/** GET /prod/api/admin/dashboard */
export const DashboardReply = reply(Dashboard);
