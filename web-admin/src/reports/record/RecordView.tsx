import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { color } from "#theme/color.ts";
import type { Field } from "../../shared/FieldList.tsx";
import { MarkedText } from "../../shared/MarkedText.tsx";
import { Amounts } from "./Amounts.tsx";
import { recordFields, type ShownReport } from "./record-fields.ts";

export interface RecordViewProps {
  readonly report: ShownReport;
  /** Whether the report includes the revealed data. */
  readonly opened?: boolean;
  /** Stands beside the story, such as the evidence. */
  readonly beside?: ReactNode;
  /** Labels that the page already shows above the record. */
  readonly without?: readonly string[];
}

/** A report as a record: the story first, then the amounts in a line and the facts in a dense grid. */
export function RecordView({ report, opened = false, beside, without = [] }: RecordViewProps) {
  const { texts, facts } = recordFields(report, opened);
  const isShown = ({ label }: Field) => !without.includes(label);
  return (
    <>
      <Box
        sx={{
          px: 2,
          py: 1.5,
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: beside ? "minmax(0, 1fr) 264px" : "" },
          alignItems: "start",
        }}
      >
        <Box sx={{ display: "grid", gap: 1 }}>
          {texts.filter(isShown).map((field) => (
            <Text key={field.label} field={field} />
          ))}
        </Box>
        {beside}
      </Box>
      <Box sx={{ px: 2, borderTop: `1px solid ${color.line}` }}>
        <Amounts report={report} opened={opened} />
      </Box>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: "grid",
          gridTemplateColumns: { xs: "1fr 1fr", md: "repeat(4, minmax(0, 1fr))" },
          // Lines between the cells, and none at the grid's own edges.
          "& > div": {
            px: 2,
            py: 0.75,
            overflowWrap: "anywhere",
            borderTop: `1px solid ${color.line}`,
            borderRight: `1px solid ${color.line}`,
          },
          "& > div:nth-of-type(2n)": { borderRightWidth: { xs: 0, md: 1 } },
          "& > div:nth-of-type(4n)": { borderRightWidth: 0 },
          "& > div[data-kept]": { bgcolor: color.privateTint },
          "& dt": { color: "text.secondary" },
          "& dd": { m: 0, whiteSpace: "pre-wrap" },
        }}
      >
        {facts.filter(isShown).map((field) => (
          <div key={field.label} data-kept={field.kept ? "" : undefined}>
            <dt>{field.label}</dt>
            <dd>
              <Value field={field} />
            </dd>
          </div>
        ))}
      </Box>
    </>
  );
}

/** A text that takes more than a cell. The description needs no name: it is the story. */
function Text({ field }: { readonly field: Field }) {
  return (
    <Box sx={field.kept ? { bgcolor: color.privateTint, mx: -1, px: 1, py: 0.5 } : {}}>
      {field.label !== "Description" && (
        <Typography color="textSecondary" component="h2">
          {field.label}
        </Typography>
      )}
      <Typography
        component="div"
        tabIndex={0}
        sx={{
          overflowWrap: "anywhere",
          whiteSpace: "pre-wrap",
          // The longest story leaves the facts in sight.
          maxHeight: { sm: 320 },
          overflowY: "auto",
        }}
      >
        <Value field={field} />
      </Typography>
    </Box>
  );
}

function Value({ field: { value, own } }: { readonly field: Field }) {
  return own && typeof value === "string" ? <MarkedText text={value} own={own} /> : value;
}
