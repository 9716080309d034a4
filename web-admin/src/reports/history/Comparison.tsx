import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { Static } from "typebox";
import type { FieldChange } from "#contracts/http/admin-reports.ts";
import { color } from "#theme/color.ts";
import type { ReportHistory } from "../../data/console-data-provider.ts";
import { fieldLabel } from "../../shared/labels.ts";
import { Section } from "../../shared/Section.tsx";
import { comparedText } from "./compared-text.ts";

export interface ComparisonProps {
  readonly history: ReportHistory;
  readonly difference: readonly Static<typeof FieldChange>[];
  /** Revisions. */
  readonly at: number;
  readonly against: number;
}

/** What two versions of a report say differently, the earlier one left. */
export function Comparison({ history, difference, at, against }: ComparisonProps) {
  const isForward = against < at;
  const [left, right] = isForward ? [against, at] : [at, against];
  const currency = currencyOf(history.report);
  const title = `What differs between revisions ${left} and ${right}`;
  return (
    <Section title={title}>
      {difference.length === 0 ? (
        <Typography>Both say the same.</Typography>
      ) : (
        <Box component="table" aria-label={title} sx={TABLE}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Revision {left}</th>
              <th scope="col">Revision {right}</th>
            </tr>
          </thead>
          <tbody>
            {difference.map(({ field, from, to, hidden }) => {
              const [before, after] = isForward ? [from, to] : [to, from];
              return (
                <tr key={field}>
                  <th scope="row">{fieldLabel(field)}</th>
                  {hidden ? (
                    <td colSpan={2} data-kept="">
                      {history.erased ? "Changed; erased since" : "Changed; hidden"}
                    </td>
                  ) : (
                    <>
                      <td data-label={`Revision ${left}`}>
                        {comparedText(field, before, currency)}
                      </td>
                      <td data-label={`Revision ${right}`}>
                        {comparedText(field, after, currency)}
                      </td>
                    </>
                  )}
                </tr>
              );
            })}
          </tbody>
        </Box>
      )}
    </Section>
  );
}

function currencyOf(report: unknown): string {
  const { currency } = (report ?? {}) as { currency?: unknown };
  return typeof currency === "string" ? currency : "USD";
}

/** On a narrow screen the two values stand below the field's name, each with its revision. */
const TABLE = {
  width: "100%",
  tableLayout: "fixed",
  borderCollapse: "collapse",
  "& th, & td": {
    py: 1,
    pr: 2,
    textAlign: "left",
    verticalAlign: "top",
    overflowWrap: "anywhere",
    whiteSpace: "pre-wrap",
    fontWeight: 400,
  },
  "& thead th": { color: "text.secondary" },
  "& tbody th": { fontWeight: 600 },
  "& tbody tr": { borderTop: `1px solid ${color.line}` },
  "& td[data-kept]": { color: color.private },
  "@media (max-width: 599px)": {
    "& thead": {
      position: "absolute",
      width: "1px",
      height: "1px",
      overflow: "hidden",
      clipPath: "inset(50%)",
    },
    "& tbody tr": { display: "block", py: 1, borderTop: `1px solid ${color.line}` },
    "& tbody th, & tbody td": { display: "block", py: 0.25 },
    "& td[data-label]::before": {
      content: 'attr(data-label) ": "',
      color: "text.secondary",
    },
  },
} as const;
