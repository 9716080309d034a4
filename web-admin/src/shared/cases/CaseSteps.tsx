import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import { Instant } from "../Instant.tsx";
import { Section } from "../Section.tsx";

/** One thing that was done. */
export interface ShownStep {
  readonly revision: number;
  /** As the API writes it: ISO 8601, in UTC. */
  readonly at: string;
  /** Name of staff, where it is known. */
  readonly by?: string | undefined;
  readonly words: string;
  /** The page that the words lead to. */
  readonly to?: string | undefined;
  /** A note or a reason, in full. */
  readonly text?: string | undefined;
}

/** What was done about an inquiry or a notice, the newest first. */
export function CaseSteps({ steps }: { readonly steps: readonly ShownStep[] }) {
  return (
    <Section title="History">
      <Box
        component="ol"
        sx={{
          listStyle: "none",
          m: 0,
          p: 0,
          "& > li": { py: 1 },
          "& > li + li": { borderTop: 1, borderColor: "divider" },
        }}
      >
        {steps.map((step) => (
          <Step key={step.revision} step={step} />
        ))}
      </Box>
    </Section>
  );
}

function Step({ step: { at, by, words, to, text } }: { readonly step: ShownStep }) {
  return (
    <li>
      <Typography sx={{ fontWeight: 600 }}>
        {to ? (
          <Link component={RouterLink} to={to}>
            {words}
          </Link>
        ) : (
          words
        )}
      </Typography>
      {text && (
        <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{text}</Typography>
      )}
      <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
        <Instant at={at} />
        {by && `, ${by}`}
      </Typography>
    </li>
  );
}
