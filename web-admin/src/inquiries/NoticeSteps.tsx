import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { NoticeStep } from "#contracts/http/admin-notices.ts";
import { paths } from "../config/paths.ts";
import { Instant } from "../shared/Instant.tsx";
import { Section } from "../shared/Section.tsx";
import { noticeStepInWords } from "./notice-words.ts";

/** What was done about a notice, the newest first, with notes and reasons in full. */
export function NoticeSteps({ steps }: { readonly steps: readonly NoticeStep[] }) {
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

function Step({ step }: { readonly step: NoticeStep }) {
  const { at, by, text, type, target, notice } = step;
  const to = target ? paths.report(target.report_id) : notice && paths.notice(notice.id);
  const said = noticeStepInWords(step);
  return (
    <li>
      <Typography sx={{ fontWeight: 600 }}>
        {to ? (
          <Link component={RouterLink} to={to}>
            {said}
          </Link>
        ) : (
          said
        )}
      </Typography>
      {(text ?? (type === "note" ? "Erased" : undefined)) && (
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
