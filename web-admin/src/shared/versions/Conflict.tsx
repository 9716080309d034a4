import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { Section } from "../Section.tsx";
import { Difference } from "./Difference.tsx";

/** Says who changed something in the meantime and what differs, and asks which version to go on with. */
export function Conflict(props: {
  /** What was changed: "template". */
  readonly what: string;
  /** What others did since it was opened here: list items. */
  readonly children: ReactNode;
  /** As it is now, as lines. */
  readonly theirs: readonly string[];
  /** What is typed here, as lines. */
  readonly mine: readonly string[];
  readonly onUseTheirs: () => void;
  readonly onKeepMine: () => void;
}) {
  return (
    <Section title="Someone else saved first">
      <Alert severity="warning" role="alert" sx={{ mb: 2 }}>
        This {props.what} has changed since you opened it. Nothing was overwritten, and your changes
        are still here.
      </Alert>
      <Box component="ul" sx={{ m: 0, mb: 2, pl: 2.5 }}>
        {props.children}
      </Box>
      <Box component="h3" sx={{ m: 0, mb: 1, typography: "h3" }}>
        What differs: theirs (−) and yours (+)
      </Box>
      <Difference before={props.theirs} after={props.mine} label="Their version and yours" />
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", mt: 2 }}>
        <Button variant="contained" onClick={props.onUseTheirs}>
          Use theirs
        </Button>
        <Button variant="outlined" onClick={props.onKeepMine}>
          Keep mine
        </Button>
      </Box>
    </Section>
  );
}
