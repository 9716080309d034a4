import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { Link } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import type { StatusCounts } from "#contracts/http/admin-reports.ts";
import type { Dashboard as Figures } from "#contracts/http/analytics.ts";
import { BACKUPS, type ListedBackups } from "#contracts/http/backups.ts";
import type { OpenWork } from "#contracts/http/sessions.ts";
import type { NotificationKind } from "#contracts/notification/notification-kinds.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { filtered, paths } from "../config/paths.ts";
import { fetchFailureText } from "../data/api-error.ts";
import { formatCount } from "../shared/formats.ts";
import { PLACES } from "../shared/notification-labels.ts";
import { Section } from "../shared/page.tsx";
import { Instant, StatusChip } from "../shared/parts.tsx";
import { useNotifications, useRead, useStatusCounts, waitingText } from "../shared/reads.ts";
import { EmptyNote, RetryAlert } from "../shared/states.tsx";
import { StatsCharts } from "../shared/stats/StatsCharts.tsx";
import { Part, StatsTable, Tile, Tiles } from "../shared/stats/stats.tsx";
import { amountIn, formatTotals } from "../shared/stats/stats-labels.ts";
import { backupState, dueNote, oldestNote } from "./work-labels.ts";

/** Open tasks, totals and the last 30 days. Each part shows its own failure. */
export default function Dashboard({ actions }: QuickActionsProps) {
  const { data, error, refetch } = useRead<Figures>(["dashboard"], "/dashboard");
  const retry = () => void refetch();
  if (error && !data)
    return (
      <RetryAlert onRetry={retry}>{fetchFailureText("dashboard statistics", error)}</RetryAlert>
    );
  const isEmpty = data?.reports?.total === 0;
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <Work />
      <DashboardTiles data={data} onRetry={retry} />
      {isEmpty && (
        <Section title="Reports">
          <EmptyNote title="No dashboard data available." />
        </Section>
      )}
      {!isEmpty && (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" },
          }}
        >
          <ReportsByStatus reports={data?.reports} onRetry={retry} />
          <RecentActivity activity={data?.activity} onRetry={retry} />
        </Box>
      )}
      <QuickActions actions={actions} />
      {!(isEmpty && data?.figures) && <StatsCharts figures={data?.figures} onRetry={retry} />}
    </Box>
  );
}

interface QuickActionsProps {
  readonly actions: readonly { readonly path: string; readonly link: string }[];
}

function QuickActions({ actions }: QuickActionsProps) {
  return (
    <Section title="Quick Actions">
      <Box
        component="ul"
        aria-label="Quick Actions"
        sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}
      >
        {actions.map(({ path, link }) => (
          <li key={path}>
            <Button component={RouterLink} to={path} variant="outlined" sx={{ px: 1.25 }}>
              {link}
            </Button>
          </li>
        ))}
      </Box>
    </Section>
  );
}

/** Open tasks, each linked to where it is done. Overdue ones are red. */
function Work() {
  const { data, isError, refetch } = useNotifications();
  const backups = useRead<ListedBackups>(["system", "backups"], BACKUPS);
  const now = Date.now();
  const unknown = isError ? null : undefined;
  const retry = () => void refetch();
  const cardOf = (work: OpenWork | undefined, note: (work: OpenWork) => string) => ({
    value: work ? formatCount(work.count) : data ? null : unknown,
    note: work && note(work),
    isDue: work !== undefined && work.late > 0,
    onRetry: retry,
  });
  const { queue, inquiries, notices, mails } = data?.work ?? {};
  const found = (kind: NotificationKind) =>
    data?.notifications.find((each) => each.kind === kind)?.count ?? 0;
  const [parked, findings] = [found("parked_events"), found("scan_findings")];
  const isSystemUnread = data?.failed.some(
    (kind) => kind === "parked_events" || kind === "scan_findings",
  );
  const backup = backups.data && backupState(backups.data.list, now);
  return (
    <Tiles label="To do" columns={6}>
      <Tile
        label="To decide"
        to={queue?.late ? PLACES.waiting_reports : paths.queue}
        {...cardOf(queue, ({ since }) => oldestNote(since, now))}
      />
      <Tile
        label="Inquiries"
        to={filtered(paths.inquiries, inquiries?.late ? { overdue: "yes" } : {})}
        {...cardOf(inquiries, (work) => dueNote(work, now))}
      />
      <Tile
        label="Notices"
        to={notices?.late ? PLACES.due_notices : filtered(paths.notices, {})}
        {...cardOf(notices, (work) => dueNote(work, now))}
      />
      <Tile
        label="Failed emails"
        to={PLACES.failed_mails}
        {...cardOf(mails, () => "In the last 7 days")}
        isDue={mails !== undefined && mails.count > 0}
      />
      <Tile
        label="System findings"
        to={paths.system}
        value={isSystemUnread ? null : data ? formatCount(parked + findings) : unknown}
        note={`${formatCount(parked)} parked, ${formatCount(findings)} from the last scan`}
        isDue={parked > 0}
        onRetry={retry}
      />
      <Tile
        label="Last backup"
        to={`${paths.system}#backups`}
        value={backup ? backup.value : backups.isError ? null : undefined}
        note={backup?.note}
        isDue={backup?.isDue ?? false}
        onRetry={() => void backups.refetch()}
      />
    </Tiles>
  );
}

function reportsOf(status: string): string {
  return filtered(paths.reports, { status });
}

interface DashboardTilesProps {
  readonly data: Figures | undefined;
  readonly onRetry: () => void;
}

function DashboardTiles({ data, onRetry }: DashboardTilesProps) {
  const { users, reports, figures, health } = data ?? {};
  const { counts } = useStatusCounts();
  const pending = reports?.statuses.find(({ status }) => status === "pending")?.reports;
  return (
    <Tiles label="Totals" columns={4}>
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

function waitingNote(counts: StatusCounts): string {
  const waits = ["to_decide", "waiting", "unconfirmed"] as const;
  return waits.map((each) => waitingText(counts[each], each)).join(", ");
}

function usersNote(users: NonNullable<Figures["users"]>): string {
  const [fresh, pending, banned] = [users.new, users.pending, users.banned].map(formatCount);
  return `${fresh} new in 30 days, ${pending}\u00a0pending, ${banned}\u00a0banned`;
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

function healthNote({ checks }: NonNullable<Figures["health"]>): string {
  const failed = checks.filter(({ ok }) => !ok).map(({ name }) => CHECKS[name] ?? name);
  if (failed.length === 0) return `All ${formatCount(checks.length)} checks passed`;
  return `Check: ${failed.join(", ")}`;
}

const MAIN = "USD";

function ReportsByStatus(props: {
  readonly reports: Figures["reports"] | undefined;
  readonly onRetry: () => void;
}) {
  return (
    <Part title="Reports by Status" data={props.reports} onRetry={props.onRetry}>
      {({ statuses }) => (
        <StatsTable
          label="Reports by Status"
          columns={["Status", "Reports", `Total due (${MAIN})`, "Other"]}
          rows={statuses.map(({ status, reports, totals }) => {
            const others = totals.filter(({ currency }) => currency !== MAIN);
            return {
              key: status,
              cells: [
                <Link key="status" to={reportsOf(status)} underline="none">
                  <StatusChip status={status} />
                </Link>,
                formatCount(reports),
                formatMoney(amountIn(totals, MAIN), MAIN),
                others.length > 0 ? formatTotals(others) : "",
              ],
            };
          })}
        />
      )}
    </Part>
  );
}

function RecentActivity(props: {
  readonly activity: Figures["activity"] | undefined;
  readonly onRetry: () => void;
}) {
  return (
    <Part title="Recent Activity" data={props.activity} onRetry={props.onRetry}>
      {(activity) => (
        <Box component="ul" aria-label="Recent Activity">
          {activity.map(({ id, first_name, last_name, status, updated_at, reporter_email }) => (
            <Box
              component="li"
              key={id}
              sx={{
                minHeight: 40,
                py: { xs: 1, sm: 0.5 },
                display: "grid",
                gridTemplateColumns: {
                  xs: "minmax(0, 1fr) max-content",
                  sm: "minmax(0, 2fr) minmax(0, 1fr) max-content",
                },
                columnGap: 2,
                alignItems: "center",
                "& + &": { borderTop: 1, borderColor: "divider" },
              }}
            >
              <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1, alignItems: "center" }}>
                <Link to={paths.report(id)} sx={{ overflowWrap: "anywhere", minWidth: 0 }}>
                  {first_name} {last_name}
                </Link>
                <StatusChip status={status} />
              </Box>
              <Typography
                color="textSecondary"
                sx={{ overflowWrap: "anywhere", gridRow: { xs: 2, sm: "auto" } }}
              >
                {reporter_email ?? "Reporter erased"}
              </Typography>
              <Typography color="textSecondary">
                <Instant at={updated_at} as="ago" />
              </Typography>
            </Box>
          ))}
        </Box>
      )}
    </Part>
  );
}
