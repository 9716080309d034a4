import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { ContentRecord, ContentText } from "#contracts/http/admin-content.ts";
import { formatInstant } from "../shared/formats.ts";
import { Section } from "../shared/Section.tsx";
import { Difference } from "./Difference.tsx";
import { changedSince, historySentence } from "./text-words.ts";

/** Says who changed a text meanwhile, what differs, and asks which words to go on with. */
export function Conflict(props: {
  /** The text as it is now. */
  readonly theirs: ContentRecord;
  /** The revision that was opened here. */
  readonly seen: number;
  /** What is typed here. */
  readonly mine: ContentText;
  readonly onUseTheirs: () => void;
  readonly onKeepMine: () => void;
}) {
  const { theirs, seen, mine, onUseTheirs, onKeepMine } = props;
  return (
    <Section title="Somebody else was first">
      <Alert severity="warning" role="alert" sx={{ mb: 2 }}>
        This text has changed since you opened it. Nothing was overwritten, and nothing you typed is
        lost.
      </Alert>
      <Box component="ul" sx={{ m: 0, mb: 2, pl: 2.5 }}>
        {changedSince(theirs.history, seen).map((event) => (
          <li key={event.revision}>
            {historySentence(event)}
            {event.at && `, ${formatInstant(event.at)}`}
          </li>
        ))}
      </Box>
      <Typography variant="h3" sx={{ mb: 1 }}>
        What differs: theirs (−) and yours (+)
      </Typography>
      <Difference
        kind={theirs.type}
        before={theirs.text}
        after={mine}
        label="Their words and yours, compared"
      />
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
