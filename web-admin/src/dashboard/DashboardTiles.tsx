import type { StatusCounts } from "#contracts/http/admin-reports.ts";
import type { Dashboard } from "#contracts/http/analytics.ts";
import { filtered, paths } from "../config/paths.ts";
import { Tile, Tiles } from "../shared/figures/Tile.tsx";
import { formatCount } from "../shared/formats.ts";
import { useStatusCounts, waitingWords } from "../shared/use-status-counts.ts";

/** Reports of one status in the list. */
export function reportsOf(status: string): string {
  return filtered(paths.reports, { status });
}

export interface DashboardTilesProps {
  /** Undefined while it loads. */
  readonly data: Dashboard | undefined;
  readonly onRetry: () => void;
}

/** The four figures at the top. */
export function DashboardTiles({ data, onRetry }: DashboardTilesProps) {
  const { users, reports, figures, health } = data ?? {};
  const { counts } = useStatusCounts();
  const pending = reports?.statuses.find(({ status }) => status === "pending")?.reports;
  return (
    <Tiles label="Figures" columns={4}>
      <Tile
        label="Total Users"
        to={paths.users}
        value={users && formatCount(users.total)}
        note={users && usersNote(users)}
        onRetry={onRetry}
      />
      <Tile
        label="Total Reports"
        to={paths.reports}
        value={reports && formatCount(reports.total)}
        note={figures && `${formatCount(figures.total.submitted)} submitted in 30 days`}
        onRetry={onRetry}
      />
      <Tile
        label="Pending Reports"
        to={reportsOf("pending")}
        value={reports && formatCount(pending ?? 0)}
        note={counts && waitingNote(counts)}
        onRetry={onRetry}
      />
      <Tile
        label="System Health"
        value={health && (health.status === "healthy" ? "Healthy" : "Degraded")}
        note={health && healthNote(health)}
        onRetry={onRetry}
      />
    </Tiles>
  );
}

/** "17 to decide, 2 waiting for reporter, 3 unconfirmed". */
function waitingNote(counts: StatusCounts): string {
  const waits = ["to_decide", "waiting", "unconfirmed"] as const;
  return waits.map((each) => waitingWords(counts[each], each)).join(", ");
}

/** "12 new in 30 days, 3 pending, 1 banned". */
function usersNote(users: NonNullable<Dashboard["users"]>): string {
  const [fresh, pending, banned] = [users.new, users.pending, users.banned].map(formatCount);
  return `${fresh} new in 30 days, ${pending} pending, ${banned} banned`;
}

const CHECKS: Readonly<Record<string, string>> = {
  database: "database",
  layouts: "outdated tables",
  keys: "keys",
  event_log: "event log",
  search: "search",
  counters: "shared counters",
  files: "files",
  read_models: "tables catching up",
  parked_events: "events that could not be applied",
};

/** "All 8 checks passed", or what did not. */
function healthNote({ checks }: NonNullable<Dashboard["health"]>): string {
  const failed = checks.filter(({ ok }) => !ok).map(({ name }) => CHECKS[name] ?? name);
  if (failed.length === 0) return `All ${formatCount(checks.length)} checks passed`;
  return `Check: ${failed.join(", ")}`;
}
