import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import type { KeyboardEvent } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { paths } from "../../config/paths.ts";
import { loadFailureText } from "../../data/api-error.ts";
import { KeyHint } from "../../shared/KeyHint.tsx";
import { SideBySide } from "../record/SideBySide.tsx";
import { useReport } from "../record/use-report.ts";
import { comparedRows } from "./match-words.ts";

const MARKS = { same: "Same", differs: "Differs", unknown: "" } as const;

/**
 * A report beside one of its possible matches. The arrow keys go through them; where keys are on, D rejects it as
 * a duplicate.
 */
export function CompareDialog({
  report,
  matchId,
  hasKeys,
  onCompare,
  onDuplicate,
  onClose,
}: {
  readonly report: AdminReportDetail;
  readonly matchId: string;
  readonly hasKeys: boolean;
  readonly onCompare: (id: string) => void;
  /** Absent where it cannot be rejected. */
  readonly onDuplicate: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const { possible_matches: matches } = report;
  const index = matches.findIndex(({ id }) => id === matchId);
  const match = matches[index];
  const { data: other, error } = useReport(matchId, true);
  const number = reportNumber(matchId);
  const goTo = (step: number) => {
    const to = matches[index + step];
    if (to) onCompare(to.id);
  };
  const press = ({ key, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey) return;
    if (key === "ArrowLeft") goTo(-1);
    else if (key === "ArrowRight") goTo(1);
    // A key that is held down was pressed before.
    else if (hasKeys && key.toLowerCase() === "d" && other && !repeat) onDuplicate?.();
  };
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth onKeyDown={press}>
      <DialogTitle sx={{ overflowWrap: "anywhere" }}>
        Compare with {number}
        <Typography component="span" color="textSecondary" sx={{ ml: 1 }}>
          {index + 1} of {matches.length}
        </Typography>
      </DialogTitle>
      <DialogContent tabIndex={0}>
        {error && <Typography>{loadFailureText("report", error)}</Typography>}
        {other && match && (
          <SideBySide
            label={`${reportNumber(report.id)} and ${number}`}
            columns={["This report", number, "Match"]}
            rows={comparedRows(report, other, match.shares).map(({ label, left, right, mark }) => ({
              label,
              cells: [left, right, MARKS[mark]],
              mark,
            }))}
          />
        )}
      </DialogContent>
      <DialogActions sx={{ p: 2, flexWrap: "wrap" }}>
        <Button disabled={index <= 0} onClick={() => goTo(-1)}>
          Previous
        </Button>
        <Button disabled={index >= matches.length - 1} onClick={() => goTo(1)}>
          Next
        </Button>
        <Button component={RouterLink} to={paths.report(matchId)}>
          Open report
        </Button>
        <Box sx={{ flex: 1 }} />
        <Button onClick={onClose}>Close</Button>
        {onDuplicate && (
          <Button
            variant="contained"
            disabled={!other}
            onClick={onDuplicate}
            endIcon={hasKeys && <KeyHint>D</KeyHint>}
          >
            Reject as duplicate of {number}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
