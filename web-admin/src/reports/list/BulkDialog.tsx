import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import { given } from "#contracts/given.ts";
import { isEnded } from "#contracts/http/jobs.ts";
import { moderation } from "#contracts/http/moderation.ts";
import type { TakenByOther } from "#contracts/http/queue.ts";
import { REJECTION_REASONS, type RejectionReason } from "#contracts/report/words.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { counted } from "../../shared/formats.ts";
import { useOffered } from "../../shared/use-settings.ts";
import { heldWords } from "../commands/labels.ts";
import { BulkProgress } from "./BulkProgress.tsx";
import { type BulkActionName, bulkAction, ownWords, type SelectedReport } from "./bulk-words.ts";
import { useBulkJob } from "./use-bulk-job.ts";

const REASON: { maxLength?: number } = moderation("reject").body.properties.reason ?? {};

/**
 * Says what follows for the selected reports, asks where other moderators have some of them, begins it, and shows how far it is and what became of each. */
export function BulkDialog({
  action: name,
  reports,
  onClose,
}: {
  readonly action: BulkActionName;
  readonly reports: readonly SelectedReport[];
  /** @param isBegun whether reports may have changed. */
  readonly onClose: (isBegun: boolean) => void;
}) {
  const action = bulkAction(name);
  const bulk = useBulkJob();
  const [code, setCode] = useState("");
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const [stopping, setStopping] = useState(false);
  const [checking, setChecking] = useState(false);
  /** Those that others have, once it is known that there are some. */
  const [held, setHeld] = useState<readonly TakenByOther[]>();
  const provider = useDataProvider<ConsoleDataProvider>();
  const offered = useOffered(Object.keys(REJECTION_REASONS)) as RejectionReason[];
  const { job, isBegun } = bulk;
  const isOver = job !== undefined && isEnded(job.state);
  const isWordless = code === "other" && !reason.trim();
  const count = counted(reports.length, "report", "reports");
  const start = (chosen: readonly SelectedReport[]) =>
    bulk.start({
      ...action.command,
      ...(action.asksReason ? { reason_code: code as RejectionReason } : {}),
      ...(reason.trim() ? { reason: reason.trim() } : {}),
      reports: chosen.map(({ id, revision }) => ({ id, revision })),
    });
  const others = new Set(held?.map(({ report_id }) => report_id));
  const free = reports.filter(({ id }) => !others.has(id));
  const isAnswered = () => {
    setAsked(true);
    return !action.asksReason || (code !== "" && !isWordless);
  };
  const begin = async () => {
    if (!isAnswered()) return;
    if (!held) {
      setChecking(true);
      // Who has them is a courtesy: a decision does not fail because that cannot be read.
      const queue = await provider.queue().catch(() => undefined);
      setChecking(false);
      const ids = new Set(reports.map(({ id }) => id));
      const found = queue?.taken.filter(({ report_id }) => ids.has(report_id)) ?? [];
      if (found.length > 0) {
        setHeld(found);
        return;
      }
    }
    await start(reports);
  };
  const own = ownWords(reports);
  const isLeavable = !bulk.starting && (!isBegun || isOver);
  return (
    <Dialog
      open
      fullWidth
      maxWidth="sm"
      onClose={isLeavable ? () => onClose(isBegun) : undefined}
      aria-labelledby="bulk-title"
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <DialogTitle id="bulk-title">
          {action.confirm} {count}
          {!isBegun && "?"}
        </DialogTitle>
        <DialogContent>
          {!isBegun && (
            <>
              <DialogContentText>{action.consequence(reports)}</DialogContentText>
              <DialogContentText sx={{ mt: 1 }}>
                Reports changed by someone else in the meantime are skipped and listed at the end.
              </DialogContentText>
              {own && <DialogContentText sx={{ mt: 1 }}>{own}</DialogContentText>}
              {action.asksReason && (
                <>
                  <TextField
                    select
                    fullWidth
                    autoFocus
                    required
                    sx={{ mt: 2 }}
                    label="Reason for all of them"
                    value={code}
                    error={asked && !code}
                    helperText={asked && !code ? "Choose a reason" : undefined}
                    onChange={(event) => setCode(event.target.value)}
                  >
                    {offered.map((each) => (
                      <MenuItem key={each} value={each}>
                        {REJECTION_REASONS[each]}
                      </MenuItem>
                    ))}
                  </TextField>
                  <TextField
                    fullWidth
                    multiline
                    minRows={2}
                    sx={{ mt: 2 }}
                    label="More for the reporters"
                    required={code === "other"}
                    value={reason}
                    error={asked && isWordless}
                    helperText={
                      asked && isWordless
                        ? "Enter the reason"
                        : `${reason.length} of ${REASON.maxLength} characters`
                    }
                    onChange={(event) => setReason(event.target.value)}
                    slotProps={{ htmlInput: given({ maxLength: REASON.maxLength }) }}
                  />
                </>
              )}
            </>
          )}
          {!isBegun && held && (
            <Alert severity="warning" role="alert" sx={{ mt: 2 }}>
              {heldWords(held)} Decide them anyway?
            </Alert>
          )}
          {isBegun && <BulkProgress job={job} reports={reports} done={action.done} />}
          {bulk.failure && (
            <Alert severity="error" sx={{ mt: 2 }}>
              {bulk.failure}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2, flexWrap: "wrap", rowGap: 1 }}>
          {!isBegun && (
            <>
              <Button onClick={() => onClose(false)} disabled={bulk.starting}>
                Cancel
              </Button>
              {held && free.length > 0 && (
                <Button
                  variant="outlined"
                  disabled={bulk.starting}
                  onClick={() => isAnswered() && void start(free)}
                >
                  {action.confirm} the other {free.length}
                </Button>
              )}
              <Button type="submit" variant="contained" loading={checking || bulk.starting}>
                {action.confirm} {held ? `all ${reports.length}` : count}
              </Button>
            </>
          )}
          {isBegun && !isOver && (
            <Button
              variant="outlined"
              loading={stopping || job?.state === "stopping"}
              onClick={() => {
                setStopping(true);
                void bulk.stop().finally(() => setStopping(false));
              }}
            >
              Stop
            </Button>
          )}
          {isOver && (
            <Button variant="contained" autoFocus onClick={() => onClose(true)}>
              Close
            </Button>
          )}
        </DialogActions>
      </form>
      {bulk.dialog}
    </Dialog>
  );
}
