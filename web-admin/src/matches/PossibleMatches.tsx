import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { type KeyboardEvent, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { reportNumber } from "#contracts/report/masks.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { paths } from "../config/paths.ts";
import { loadFailureText } from "../data/api-error.ts";
import { useReport, useShownReport } from "../record/OpenReport.tsx";
import { SideBySide } from "../record/RecordView.tsx";
import { personName } from "../record/record-fields.ts";
import { Section } from "../shared/page.tsx";
import { Instant, KeyHint, StatusChip } from "../shared/parts.tsx";
import { blockingError } from "../shared/states.tsx";
import { comparedRows, namesText, sharedText, strengthOf } from "./labels.ts";

const FIRST = 3;

/** Other reports that may be about the same person, strongest match first, with what agrees and what differs. */
export function PossibleMatches(props: {
  /** Shortcut for comparing the first match, if enabled. */
  readonly hint: string | undefined;
  readonly onCompare: (id: string) => void;
}) {
  const { hint, onCompare } = props;
  const { possible_matches: matches, has_more_matches: hasMore } = useShownReport();
  const [isWhole, setWhole] = useState(false);
  const count = matches.length > 0 ? ` (${hasMore ? "more than " : ""}${matches.length})` : "";
  return (
    <Section isDense title={`Possible matches${count}`}>
      {matches.length === 0 && (
        <Typography color="textSecondary">
          No other report shares an email, phone, card, bank account or address.
        </Typography>
      )}
      <Box
        component="ul"
        sx={{
          display: "grid",
          gap: 1,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(3, minmax(0, 1fr))" },
        }}
      >
        {matches.slice(0, isWhole ? matches.length : FIRST).map((match, index) => (
          <Box
            key={match.id}
            component="li"
            sx={{
              p: 1,
              border: `1px solid ${color.line}`,
              borderRadius: `${radius.small}px`,
              overflowWrap: "anywhere",
            }}
          >
            <Typography sx={{ fontWeight: 600 }}>{personName(match)}</Typography>
            <Typography noWrap title={match.title}>
              {match.title}
            </Typography>
            <LinearProgress
              variant="determinate"
              value={Math.round(100 * strengthOf(match))}
              aria-label={`Match strength of ${reportNumber(match.id)}`}
              sx={{ my: 0.75, height: 4, borderRadius: 2, bgcolor: color.line }}
            />
            <Typography component="span" sx={{ color: color.settled }}>
              Same {sharedText(match.shares)}
            </Typography>
            {match.differs.length > 0 && (
              <Typography component="span" sx={{ color: color.warning }}>
                {" · "}different {sharedText(match.differs)}
              </Typography>
            )}
            <Typography color="textSecondary">{namesText(match)}</Typography>
            <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1 }}>
              <StatusChip status={match.status} />
              <Typography color="textSecondary" component="span">
                <Instant at={match.created_at} as="day" />
              </Typography>
            </Box>
            <Button
              size="small"
              onClick={() => onCompare(match.id)}
              endIcon={index === 0 && hint && <KeyHint>{hint}</KeyHint>}
              sx={{ px: 1, mx: -1, minHeight: { xs: 44, md: 32 } }}
            >
              Compare with {reportNumber(match.id)}
            </Button>
          </Box>
        ))}
      </Box>
      {!isWhole && matches.length > FIRST && (
        <Button onClick={() => setWhole(true)}>Show all {matches.length}</Button>
      )}
    </Section>
  );
}

/**
 * A report next to one of its possible matches. The arrow keys move between matches; with shortcuts enabled, D
 * rejects the report as a duplicate.
 */
export function CompareDialog(props: {
  readonly matchId: string;
  readonly hasKeys: boolean;
  readonly onCompare: (id: string | undefined) => void;
  /** Absent if it can't be rejected. */
  readonly rejectAs: ((other: string) => void) | undefined;
}) {
  const { matchId, hasKeys, onCompare, rejectAs } = props;
  const report = useShownReport();
  const { possible_matches: matches } = report;
  const index = matches.findIndex(({ id }) => id === matchId);
  const match = matches[index];
  const { data: other, error } = useReport(matchId);
  const failure = blockingError(other, error);
  const number = reportNumber(matchId);
  const close = () => onCompare(undefined);
  const reject = () => {
    close();
    rejectAs?.(matchId);
  };
  const goTo = (step: number) => {
    const to = matches[index + step];
    if (to) onCompare(to.id);
  };
  const press = ({ key, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey) return;
    if (key === "ArrowLeft") goTo(-1);
    else if (key === "ArrowRight") goTo(1);
    // Ignore key repeat: the key may still be held down from before.
    else if (hasKeys && key.toLowerCase() === "d" && rejectAs && other && !repeat) reject();
  };
  return (
    <Dialog open onClose={close} maxWidth="md" fullWidth onKeyDown={press}>
      <DialogTitle sx={{ overflowWrap: "anywhere" }}>
        Compare with {number}
        <Typography component="span" color="textSecondary" sx={{ ml: 1 }}>
          {index + 1} of {matches.length}
        </Typography>
      </DialogTitle>
      <DialogContent tabIndex={0}>
        {failure && <Typography>{loadFailureText("report", failure)}</Typography>}
        {other && match && (
          <SideBySide
            label={`${reportNumber(report.id)} and ${number}`}
            columns={["This report", number, "Match"]}
            rows={comparedRows(report, other, match.shares)}
          />
        )}
      </DialogContent>
      <DialogActions>
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
        <Button onClick={close}>Close</Button>
        {rejectAs && (
          <Button
            variant="contained"
            disabled={!other}
            onClick={reject}
            endIcon={hasKeys && <KeyHint>D</KeyHint>}
          >
            Reject as duplicate of {number}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
