import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Confirm } from "react-admin";
import { isEnded, type Job } from "#contracts/http/jobs.ts";
import {
  SYSTEM_ACTION_NAMES,
  SYSTEM_ACTIONS,
  type SystemActionName,
} from "#contracts/system/actions.ts";
import { Section } from "../shared/Section.tsx";
import { ActionHistory } from "./ActionHistory.tsx";
import {
  ACTION_NOTES,
  attentionWords,
  endSentence,
  isWell,
  progressWords,
} from "./action-words.ts";
import { JobLines } from "./JobLines.tsx";
import { useSystemAction } from "./use-system-action.ts";

/** What an admin has done with the registry as a whole. */
export function SystemActions() {
  const { action, job, isBusy, failure, recent, recentError, start, stop, dialog } =
    useSystemAction();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Section title="Actions" anchor="actions">
        <Box
          component="ul"
          sx={{
            listStyle: "none",
            p: 0,
            m: 0,
            display: "grid",
            gap: 2,
            gridTemplateColumns: { md: "repeat(2, minmax(0, 1fr))" },
          }}
        >
          {SYSTEM_ACTION_NAMES.map((name) => (
            <Box component="li" key={name}>
              <Button
                variant="outlined"
                // Not `disabled` while one runs: the focus would be lost.
                aria-disabled={isBusy}
                onClick={() => {
                  if (isBusy) return;
                  if (name === "restart") setAsking(true);
                  else start(name);
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
          content="Within the next minute, the site, console and API will be unavailable for about 30 seconds. Current work is finished first, and what you typed in other windows stays there."
          confirm="Restart"
          onConfirm={() => {
            setAsking(false);
            start("restart");
          }}
          onClose={() => setAsking(false)}
        />
        {dialog}
        {failure && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {failure}
          </Alert>
        )}
        {action && job && <ActionProgress action={action} job={job} onStop={() => void stop()} />}
      </Section>
      <ActionHistory jobs={recent} error={recentError} />
    </>
  );
}

/** How far an action is and, at its end, what came of it. */
function ActionProgress(props: {
  readonly action: SystemActionName;
  readonly job: Job;
  readonly onStop: () => void;
}) {
  const { action, job, onStop } = props;
  const { done, total, state, lines } = job;
  const isOver = isEnded(state);
  return (
    <Box sx={{ mt: 2 }}>
      {isOver ? (
        <Alert role="status" severity={isWell(job) ? "success" : "warning"}>
          {endSentence(action, job)}
          {attentionWords(job)}
        </Alert>
      ) : (
        <>
          <LinearProgress
            aria-label="Progress"
            {...(total ? { variant: "determinate", value: (100 * done) / total } : {})}
          />
          <Box sx={{ display: "flex", gap: 2, alignItems: "center", mt: 1 }}>
            <Typography role="status" sx={{ fontVariantNumeric: "tabular-nums" }}>
              {SYSTEM_ACTIONS[action]}: {state === "stopping" ? "stopping" : "in progress"}
              {progressWords(action, job)}
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
