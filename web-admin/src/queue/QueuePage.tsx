import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { useEffect, useRef } from "react";
import { Link as RouterLink } from "react-router-dom";
import { LEASE_MS, type Queue } from "#contracts/http/queue.ts";
import { WAITING_HOURS } from "#contracts/notification/notification-kinds.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { loadFailureText } from "../data/api-error.ts";
import { NEXT_KEY } from "../decision/use-actions.tsx";
import { OpenReport, RecordSkeleton, useShownReport } from "../record/OpenReport.tsx";
import { ReportSheet } from "../reports/ReportShow.tsx";
import { counted, formatAge, formatCount } from "../shared/formats.ts";
import { Instant } from "../shared/parts.tsx";
import { useStatusCounts, waitingText } from "../shared/reads.ts";
import { EmptyNote, RetryAlert } from "../shared/states.tsx";
import { useSecondsUntil } from "../shared/use-seconds-until.ts";
import { useShortcuts } from "../shared/use-shortcuts.ts";
import { type QueueWork, useQueue } from "./use-queue.ts";

const LATE_MS = WAITING_HOURS * 3_600_000;

/** Shows one report at a time, reserved for this moderator while it is shown. */
export function QueuePage() {
  const work = useQueue();
  const { view } = work;
  if (view.kind === "loading") return <RecordSkeleton />;
  if (view.kind === "failed")
    return (
      <RetryAlert onRetry={work.restart}>{loadFailureText("the queue", view.error)}</RetryAlert>
    );
  if (view.kind === "empty") return <NothingLeft work={work} />;
  return (
    <>
      {work.queue && <Strip queue={work.queue} work={work} shownId={view.id} />}
      <OpenReport
        key={view.turn}
        id={view.id}
        failed={(error, retry) => (
          <RetryAlert
            onRetry={retry}
            action={
              <Button color="inherit" onClick={() => void work.skip()}>
                Skip
              </Button>
            }
          >
            {loadFailureText("report", error)}
          </RetryAlert>
        )}
      >
        <InTurn until={view.until} work={work} />
      </OpenReport>
    </>
  );
}

function InTurn(props: {
  /** When the reservation ends, RFC 3339. */
  readonly until: string;
  readonly work: QueueWork;
}) {
  const { until, work } = props;
  const { id } = useShownReport();
  const heading = useRef<HTMLHeadingElement>(null);
  // Announces each new report, and makes Tab start at its record.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <ReportSheet
      heading={(words) => (
        <Typography
          ref={heading}
          component="h2"
          variant="h1"
          tabIndex={-1}
          sx={{ overflowWrap: "anywhere", "&:focus, &:focus-visible": { outline: "none" } }}
        >
          {words}
        </Typography>
      )}
      notice={<Lease key={until} until={until} keep={work.keep} />}
      others={[
        { label: "Skip", key: NEXT_KEY, place: "more", run: () => void work.skip() },
        work.back && {
          label: "Back to skipped",
          key: "K",
          place: "more",
          run: () => void work.back?.(),
        },
        { label: "Open report page", place: "more", to: paths.report(id) },
      ]}
      queue={{
        isMine: () => Date.parse(until) > Date.now(),
        onDeciding: work.takeAhead,
        onKept: work.leaveAhead,
        onDecided: () => void work.next(),
      }}
    />
  );
}

function Strip(props: {
  readonly queue: Queue;
  readonly work: QueueWork;
  readonly shownId: string;
}) {
  const { queue, work, shownId } = props;
  const { counts } = useStatusCounts();
  const now = Date.now();
  const oldest = Math.max(...queue.since.map((since) => now - Date.parse(since)));
  const facts = [
    queue.since.length > 0 && `oldest ${formatAge(oldest)}`,
    counts && `${formatCount(counts.waiting)} waiting for the reporter`,
    counts && `${formatCount(counts.unconfirmed)} unconfirmed`,
  ];
  const takenBy = new Map(queue.taken.map((taken) => [taken.report_id, taken]));
  return (
    <Box
      component="nav"
      aria-label="Waiting reports"
      sx={{
        display: "flex",
        gap: 2,
        alignItems: "center",
        mb: 1.5,
        flexWrap: { xs: "wrap", md: "nowrap" },
      }}
    >
      <Typography component="div" sx={{ flexShrink: { xs: 1, md: 0 }, maxWidth: { md: 320 } }}>
        <Box component="span" role="status" sx={{ fontWeight: 600 }}>
          {waitingText(queue.to_decide, "to_decide")}
        </Box>
        <Box component="span" sx={{ color: "text.secondary" }}>
          {facts.map((fact) => fact && ` · ${fact}`)}
        </Box>
      </Typography>
      <Box sx={{ display: "flex", gap: 0.75, overflowX: "auto", p: "2px", minWidth: 0 }}>
        {queue.reports.map((id, index) => {
          const taken = takenBy.get(id);
          const waits = now - Date.parse(queue.since[index] ?? "");
          const isShown = id === shownId;
          return (
            <Button
              key={id}
              size="small"
              variant="outlined"
              color="inherit"
              disabled={taken !== undefined}
              aria-current={isShown ? "true" : undefined}
              onClick={() => void work.open(id)}
              sx={{
                flexShrink: 0,
                minHeight: { xs: 44, md: 32 },
                px: 1,
                gap: 0.75,
                fontWeight: 400,
                bgcolor: "background.paper",
                borderColor: isShown ? color.primary : color.line,
                outline: isShown ? `1px solid ${color.primary}` : undefined,
              }}
            >
              {reportNumber(id)}
              <Box
                component="span"
                sx={{
                  color: waits > LATE_MS && !taken && !isShown ? color.warning : "text.secondary",
                }}
              >
                {taken
                  ? `${taken.by ?? "Another moderator"}, ${formatAge(Date.parse(taken.until) - now)}`
                  : isShown
                    ? "yours"
                    : formatAge(waits)}
              </Box>
            </Button>
          );
        })}
      </Box>
    </Box>
  );
}

/** How long the report is reserved. Not renewed automatically: the moderator may be gone. */
function Lease({ until, keep }: { readonly until: string; readonly keep: () => Promise<boolean> }) {
  if (useSecondsUntil(Date.parse(until)) > 0)
    return (
      <Typography color="textSecondary">
        Reserved for you until <Instant at={until} as="clock" />
      </Typography>
    );
  return (
    <Alert
      severity="warning"
      icon={false}
      action={<Button onClick={() => void keep().catch(() => false)}>Reserve again</Button>}
    >
      Your reservation expired.
    </Alert>
  );
}

type Left = NonNullable<QueueWork["left"]>;

function NothingLeft({ work }: { readonly work: QueueWork }) {
  const { left = { free: [], byOthers: 0, skipped: 0, concerning: 0 } } = work;
  const { free, skipped } = left;
  useShortcuts(work.back ? { k: () => void work.back?.() } : {});
  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <EmptyNote title={titleOf(left)}>
        <Typography color="textSecondary" role="status">
          {sentenceOf(left)}
          {skipped > 0 && ` You skipped ${counted(skipped, "report", "reports")}.`}
        </Typography>
        <Button variant="outlined" autoFocus onClick={() => void work.restart()}>
          {free.length > 0
            ? "Start reviewing"
            : skipped > 0
              ? "Review skipped reports"
              : "Check again"}
        </Button>
        <Button component={RouterLink} to={paths.reports}>
          All reports
        </Button>
      </EmptyNote>
    </Paper>
  );
}

function titleOf({ byOthers, free, concerning }: Left): string {
  if (free.length > 0) return "New reports are waiting";
  if (byOthers > 0) return "Other moderators are working on the rest";
  return concerning > 0 ? "Nothing is left for you" : "The queue is empty";
}

function sentenceOf({ byOthers, free, concerning }: Left): string {
  if (free.length > 0)
    return `${counted(free.length, "new report is", "new reports are")} in the queue.`;
  if (byOthers > 0)
    return `${counted(byOthers, "report is", "reports are")} reserved by other moderators for up to ${LEASE_MS / 60_000} minutes.`;
  if (concerning > 0)
    return `${counted(concerning, "report to decide is", "reports to decide are")} your own or about you. Another moderator must decide.`;
  return "No confirmed reports are waiting for a decision.";
}
