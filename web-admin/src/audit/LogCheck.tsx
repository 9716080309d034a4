import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import { LOG_CHECK } from "#contracts/http/audit.ts";
import { isEnded, JOBS, type Job, type JobStarted, type JobSummary } from "#contracts/http/jobs.ts";
import { Dialog } from "../shared/Dialog.tsx";
import { useProvider, useRead } from "../shared/reads.ts";
import { Failure } from "../shared/states.tsx";
import { useJob } from "../shared/use-job.ts";
import { lastCheckText, logCheckText } from "./labels.ts";

/** Verifies the hash chain of the whole log. The check is a job: it keeps running after its dialog is closed. */
export function LogCheck() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        Check the log
      </Button>
      {isOpen && <LogCheckDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function LogCheckDialog({ onClose }: { readonly onClose: () => void }) {
  const provider = useProvider();
  const check = useJob(["log-check"]);
  const { job, isBegun, follow } = check;
  const { data } = useRead<{ jobs: readonly JobSummary[] }>(["log-check"], `${JOBS}?of=log`);
  const last = data?.jobs?.[0];
  const running = last && !isEnded(last.state) ? last.id : undefined;
  useEffect(() => {
    if (running) follow(running);
  }, [running, follow]);
  const isRunning = isBegun && (!job || !isEnded(job.state));
  return (
    <Dialog
      title="Check the log"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {isRunning ? (
            <Button
              variant="outlined"
              loading={job?.state === "stopping"}
              onClick={() => void check.stop()}
            >
              Stop
            </Button>
          ) : (
            <Button
              variant="contained"
              loading={check.starting}
              onClick={() =>
                void check.begin(
                  () => provider.command<JobStarted>(LOG_CHECK),
                  "The check didn't start",
                )
              }
            >
              {isBegun ? "Check again" : "Check now"}
            </Button>
          )}
        </>
      }
    >
      <DialogContentText>
        Reads every event and computes its hash again, to confirm that none were changed, removed or
        inserted. A large log takes a few minutes. You can close this; the check keeps running.
      </DialogContentText>
      {isBegun && <Progress job={job} />}
      {!isBegun && last && (
        <Typography sx={{ overflowWrap: "anywhere" }}>{lastCheckText(last)}</Typography>
      )}
      <Failure>{check.failure}</Failure>
    </Dialog>
  );
}

function Progress({ job }: { readonly job: Job | undefined }) {
  const text = job ? logCheckText(job) : "Waiting to start";
  if (job && isEnded(job.state))
    return (
      <Alert severity={SEVERITY[job.state as keyof typeof SEVERITY]}>
        {text}
        {job.error?.code === "log_broken" &&
          " Notify the operator and don't modify the log. Compare it with a backup."}
      </Alert>
    );
  const value = job?.total ? Math.min(100, (100 * job.done) / job.total) : undefined;
  return (
    <>
      <Typography role="status">{text}</Typography>
      <LinearProgress
        aria-label="Checking the log"
        {...(value !== undefined && { variant: "determinate", value })}
      />
    </>
  );
}

const SEVERITY = { done: "success", stopped: "info", failed: "error" } as const;
