import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Confirm } from "react-admin";
import {
  isEnded,
  JOBS,
  type Job,
  type JobLine,
  type JobStarted,
  type JobSummary,
} from "#contracts/http/jobs.ts";
import type { SystemActionBody } from "#contracts/http/system.ts";
import {
  SYSTEM_ACTION_NAMES,
  SYSTEM_ACTIONS,
  SYSTEM_ACTIONS_PATH,
  type SystemActionName,
} from "#contracts/system/actions.ts";
import { Section } from "../shared/page.tsx";
import { Instant } from "../shared/parts.tsx";
import { useProvider, useRead } from "../shared/reads.ts";
import { Failure, RetryAlert } from "../shared/states.tsx";
import { useJob } from "../shared/use-job.ts";
import {
  ACTION_NOTES,
  actionName,
  attentionFirst,
  attentionText,
  endSentence,
  failureReason,
  historyText,
  isSystemAction,
  isWell,
  needsAttention,
  progressText,
} from "./labels.ts";

/** Maintenance actions on the whole registry, with their history. */
export function SystemActions() {
  const { job, isBusy, failure, recent, start, stop } = useSystemJob(isSystemAction);
  const [isAsking, setAsking] = useState(false);
  const begin = (action: SystemActionName) =>
    void start({ action }, `Failed to ${actionName(action).toLowerCase()}`);
  return (
    <>
      <Section title="Actions" anchor="actions">
        <Box
          component="ul"
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { md: "repeat(2, minmax(0, 1fr))" },
          }}
        >
          {SYSTEM_ACTION_NAMES.map((name) => (
            <Box component="li" key={name}>
              <Button
                variant="outlined"
                // Not `disabled` while an action runs, which would lose the focus.
                aria-disabled={isBusy}
                onClick={() => {
                  if (isBusy) return;
                  if (name === "restart") setAsking(true);
                  else begin(name);
                }}
              >
                {SYSTEM_ACTIONS[name]}
              </Button>
              <Typography color="textSecondary" sx={{ mt: 1, maxWidth: "70ch" }}>
                {ACTION_NOTES[name]}
              </Typography>
            </Box>
          ))}
        </Box>
        <Confirm
          isOpen={isAsking}
          title="Restart the registry?"
          content="Within the next minute, the site, console and API will be unavailable for about 30 seconds. Current work finishes first, and anything you've typed in other windows is kept."
          confirm="Restart"
          onConfirm={() => {
            setAsking(false);
            begin("restart");
          }}
          onClose={() => setAsking(false)}
        />
        <Failure sx={{ mt: 2 }}>{failure}</Failure>
        {job && isSystemAction(job.kind) && (
          <ActionProgress action={job.kind} job={job} onStop={() => void stop()} />
        )}
      </Section>
      <ActionHistory jobs={recent.data?.jobs ?? []} error={recent.error} onRetry={recent.refetch} />
    </>
  );
}

function ActionProgress(props: {
  readonly action: SystemActionName;
  readonly job: Job;
  readonly onStop: () => void;
}) {
  const { action, job, onStop } = props;
  const { done, total, state, lines } = job;
  return (
    <Box sx={{ mt: 2 }}>
      {isEnded(state) ? (
        <Alert role="status" severity={isWell(job) ? "success" : "warning"}>
          {endSentence(action, job)}
          {attentionText(job)}
        </Alert>
      ) : (
        <>
          <LinearProgress
            aria-label="Progress"
            {...(total ? { variant: "determinate", value: (100 * done) / total } : {})}
          />
          <Box sx={{ display: "flex", gap: 2, alignItems: "center", mt: 1 }}>
            <Typography role="status">
              {SYSTEM_ACTIONS[action]}: {state === "stopping" ? "stopping" : "in progress"}
              {progressText(action, job)}
            </Typography>
            <Button disabled={state === "stopping"} onClick={onStop}>
              Stop
            </Button>
          </Box>
        </>
      )}
      {lines.length > 0 && <JobLines label="Results" lines={lines} />}
    </Box>
  );
}

function JobLines(props: { readonly label: string; readonly lines: readonly JobLine[] }) {
  return (
    <Box component="ul" aria-label={props.label} sx={{ listStyle: "disc", mt: 1, pl: 3 }}>
      {attentionFirst(props.lines).map(({ number, message, target, outcome }) => (
        <Typography
          component="li"
          key={number}
          sx={{
            overflowWrap: "anywhere",
            fontWeight: needsAttention(outcome) ? "fontWeightBold" : undefined,
          }}
        >
          {message ?? target}
        </Typography>
      ))}
    </Box>
  );
}

const HISTORY = "Action history";

function ActionHistory(props: {
  readonly jobs: readonly JobSummary[];
  readonly error: Error | null;
  readonly onRetry: () => unknown;
}) {
  const { jobs, error, onRetry } = props;
  const ended = jobs.filter((job) => historyText(job));
  if (!error && ended.length === 0) return null;
  return (
    <Section title={HISTORY} anchor="history">
      {error !== null && (
        <RetryAlert what="the history" onRetry={onRetry}>
          Couldn't load the history: {failureReason(error)}
        </RetryAlert>
      )}
      <Box component="ul" aria-label={HISTORY}>
        {ended.map((job) => (
          <Entry key={job.id} job={job} />
        ))}
      </Box>
    </Section>
  );
}

function Entry({ job }: { readonly job: JobSummary }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: "divider" }}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <Box component="summary" sx={{ py: 1.25, cursor: "pointer" }}>
          {historyText(job)}
          <Typography component="span" color="textSecondary">
            {" "}
            · {job.by ?? "An admin"} · <Instant at={job.ended_at ?? job.created_at} as="ago" />
          </Typography>
        </Box>
        {isOpen && <Results job={job} />}
      </details>
    </Box>
  );
}

function Results({ job: { id, state } }: { readonly job: JobSummary }) {
  const provider = useProvider();
  const { data, error } = useQuery({
    queryKey: ["system", "job", id, state],
    queryFn: () => provider.openJob(id, 0),
    retry: false,
  });
  if (error) return <Typography>Couldn't load the results: {failureReason(error)}</Typography>;
  if (data?.lines.length === 0) return <Typography>No results were recorded.</Typography>;
  return data ? <JobLines label="Earlier results" lines={data.lines} /> : null;
}

/**
 * Starts a system job and follows it. A job that is already running is followed immediately.
 * @param isOurs whether to follow jobs of this kind.
 */
export function useSystemJob(isOurs: (kind: string) => boolean) {
  const provider = useProvider();
  const { begin, follow, ...job } = useJob(["system", "audit-logs"]);
  const recent = useRead<{ jobs: readonly JobSummary[] }>(["system", "jobs"], `${JOBS}?of=system`);
  const running = recent.data?.jobs?.find(({ kind, state }) => isOurs(kind) && !isEnded(state))?.id;
  useEffect(() => {
    if (!job.isBegun && running) follow(running);
  }, [job.isBegun, running, follow]);
  return {
    ...job,
    recent,
    /** @param notBegun prefix of the error message. */
    start: (body: SystemActionBody, notBegun: string) =>
      begin(() => provider.command<JobStarted>(SYSTEM_ACTIONS_PATH, body), notBegun),
  };
}
