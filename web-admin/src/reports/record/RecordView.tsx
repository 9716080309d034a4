import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { FieldList } from "../../shared/FieldList.tsx";
import { Section } from "../../shared/Section.tsx";
import { AdditionalChargebacks } from "./AdditionalChargebacks.tsx";
import { LedgerTable } from "./LedgerTable.tsx";
import type { LedgerSource } from "./ledger.ts";
import { type FieldGroup, recordGroups, type ShownReport } from "./record-fields.ts";

export interface RecordViewProps {
  readonly report: ShownReport;
  /** Whether the report includes the revealed data. */
  readonly opened?: boolean;
}

/** A report as a record: its fields by group, and its amounts as a ledger. */
export function RecordView({ report, opened = false }: RecordViewProps) {
  const currency = typeof report.currency === "string" ? report.currency : "USD";
  const [before, after] = recordGroups(report, opened);
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Groups groups={before} />
      <Section title="Amounts">
        <Typography color="textSecondary">All amounts in {currency}</Typography>
        <LedgerTable report={report as LedgerSource} currency={currency} />
        <AdditionalChargebacks report={report} opened={opened} />
      </Section>
      <Groups groups={after} />
    </Box>
  );
}

function Groups({ groups }: { readonly groups: readonly FieldGroup[] }) {
  return groups.map(({ title, fields }) => (
    <Section key={title} title={title}>
      <FieldList fields={fields} />
    </Section>
  ));
}
