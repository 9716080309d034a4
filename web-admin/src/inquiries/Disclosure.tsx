import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import type { DisclosedReport, InquiryRecord } from "#contracts/http/admin-inquiries.ts";
import { messageOf } from "../data/api-error.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { fieldLabel, valueText } from "../shared/labels.ts";
import type { PickedReport } from "../shared/picked-report.ts";
import { ReportPicker } from "../shared/ReportPicker.tsx";
import { Section } from "../shared/Section.tsx";
import { useSending } from "../shared/use-sending.ts";

/** Opens a report in full for this request, which the registry records with the request. */
export function Disclosure({ inquiry: { id } }: { readonly inquiry: InquiryRecord }) {
  const [report, setReport] = useState<PickedReport | null>(null);
  const { data, error, isPending, mutate, reset, dialog } = useSending(
    (provider, of: string) =>
      provider.command<DisclosedReport>(`/inquiries/${id}/disclose`, { report_id: of }),
    { again: ["inquiries", "reports"], tells: "nothing" },
  );
  return (
    <Section title="Open a report for this request">
      <Typography color="textSecondary" sx={{ mb: 1 }}>
        Shows every field. This view is recorded, with the request it was for.
      </Typography>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (report && !isPending) mutate(report.id);
        }}
        sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "flex-start" }}
      >
        <ReportPicker
          label="Report"
          value={report}
          onChange={(chosen) => {
            setReport(chosen);
            reset();
          }}
        />
        <Box sx={{ display: "flex", gap: 1, pt: { sm: 3 } }}>
          <Button type="submit" variant="outlined" loading={isPending} disabled={!report}>
            Open report
          </Button>
          {data && <Button onClick={reset}>Hide</Button>}
        </Box>
      </Box>
      {error && (
        <Alert severity="error" sx={{ mt: 1 }}>
          Couldn't open the report: {messageOf(error, "Unknown error occurred")}
        </Alert>
      )}
      {data && (
        <Box sx={{ mt: 2 }}>
          <FieldList fields={fieldsOf(data.data)} />
        </Box>
      )}
      {dialog}
    </Section>
  );
}

function fieldsOf(report: DisclosedReport) {
  return Object.entries(report).flatMap(([name, value]) => {
    if (value === null || typeof value === "object") return [];
    return [{ label: fieldLabel(name), value: valueText(name, value, report.currency) }];
  });
}
