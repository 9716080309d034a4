import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import type { DisclosedReport, InquiryRecord } from "#contracts/http/admin-inquiries.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { fieldLabel, valueText } from "../shared/labels.ts";
import { Section } from "../shared/Section.tsx";
import { useProof } from "../shared/use-proof.tsx";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Opens a report in full for this request, which the registry records with the request. */
export function Disclosure({ inquiry: { id } }: { readonly inquiry: InquiryRecord }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const proof = useProof();
  const [typed, setTyped] = useState("");
  const reportId = UUID.exec(typed)?.[0].toLowerCase();
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: (of: string) => proof.run(() => provider.discloseReport(id, of)),
    onSuccess: () =>
      Promise.all(
        ["inquiries", "reports"].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
      ),
    gcTime: 0,
  });
  return (
    <Section title="Open a report for this request">
      <Typography color="textSecondary" sx={{ mb: 1 }}>
        Every field is shown. That you opened the report, and that it was for this request, is
        recorded first.
      </Typography>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (reportId && !isPending) mutate(reportId);
        }}
        sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "flex-start" }}
      >
        <TextField
          label="Report"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            reset();
          }}
          error={typed !== "" && !reportId}
          helperText="Its address in the console, or its id"
          sx={{ flex: "1 1 320px" }}
        />
        <Box sx={{ display: "flex", gap: 1, pt: { sm: 3 } }}>
          <Button type="submit" variant="outlined" loading={isPending} disabled={!reportId}>
            Open the report
          </Button>
          {data && <Button onClick={reset}>Hide</Button>}
        </Box>
      </Box>
      {error && (
        <Alert severity="error" sx={{ mt: 1 }}>
          Failed to open the report: {messageOf(error, "Unknown error occurred")}
        </Alert>
      )}
      {data && (
        <Box sx={{ mt: 2 }}>
          <FieldList fields={fieldsOf(data)} />
        </Box>
      )}
      {proof.dialog}
    </Section>
  );
}

/** Every field that has a value, in the order of the reply. */
function fieldsOf(report: DisclosedReport) {
  return Object.entries(report).flatMap(([name, value]) => {
    if (value === null || typeof value === "object") return [];
    return [{ label: fieldLabel(name), value: valueText(name, value, report.currency) }];
  });
}
