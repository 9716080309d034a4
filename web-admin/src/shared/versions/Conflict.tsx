import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { Instant } from "../Instant.tsx";
import { Section } from "../Section.tsx";
import { Difference } from "./Difference.tsx";
import type { Happened } from "./VersionHistory.tsx";

/** Says who changed something meanwhile, what differs, and asks which words to go on with. */
export function Conflict(props: {
  /** What was changed: "text". */
  readonly what: string;
  /** What others did since it was opened here. */
  readonly events: readonly Happened[];
  /** As it is now, as lines. */
  readonly theirs: readonly string[];
  /** What is typed here, as lines. */
  readonly mine: readonly string[];
  readonly onUseTheirs: () => void;
  readonly onKeepMine: () => void;
}) {
  const { what, events, theirs, mine, onUseTheirs, onKeepMine } = props;
  return (
    <Section title="Somebody else was first">
      <Alert severity="warning" role="alert" sx={{ mb: 2 }}>
        This {what} has changed since you opened it. Nothing was overwritten, and nothing you typed
        is lost.
      </Alert>
      <Box component="ul" sx={{ m: 0, mb: 2, pl: 2.5 }}>
        {events.map(({ revision, sentence, at }) => (
          <li key={revision}>
            {sentence}
            {at && (
              <>
                , <Instant at={at} />
              </>
            )}
          </li>
        ))}
      </Box>
      <Typography variant="h3" sx={{ mb: 1 }}>
        What differs: theirs (−) and yours (+)
      </Typography>
      <Difference before={theirs} after={mine} label="Their words and yours, compared" />
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", mt: 2 }}>
        <Button variant="contained" onClick={onUseTheirs}>
          Use theirs
        </Button>
        <Button variant="outlined" onClick={onKeepMine}>
          Go on with mine
        </Button>
      </Box>
    </Section>
  );
}
