import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { JobLine } from "#contracts/http/jobs.ts";
import { attentionFirst, needsAttention } from "./action-words.ts";

/** What an action found or did, what needs attention first. */
export function JobLines(props: { readonly label: string; readonly lines: readonly JobLine[] }) {
  return (
    <Box component="ul" aria-label={props.label} sx={{ mt: 1, pl: 3 }}>
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
