import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { InquiryStep } from "#contracts/http/admin-inquiries.ts";
import { paths } from "../config/paths.ts";
import { Instant } from "../shared/Instant.tsx";
import { Section } from "../shared/Section.tsx";
import { stepInWords } from "./inquiry-words.ts";

/** What was done about an inquiry, the newest first, with the notes in full. */
export function InquirySteps({ steps }: { readonly steps: readonly InquiryStep[] }) {
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

function Step({ step }: { readonly step: InquiryStep }) {
  const { at, by, text, type, report_id } = step;
  return (
    <li>
      <Typography sx={{ fontWeight: 600 }}>
        {report_id ? (
          <Link component={RouterLink} to={paths.report(report_id)}>
            {stepInWords(step)}
          </Link>
        ) : (
          stepInWords(step)
        )}
      </Typography>
      {type === "note" && (
        <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {text ?? "Erased"}
        </Typography>
      )}
      <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
        <Instant at={at} />
        {by && `, ${by}`}
      </Typography>
    </li>
  );
}
