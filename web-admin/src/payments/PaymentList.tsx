import Box from "@mui/material/Box";
import type { ListedPayment } from "#contracts/http/documents.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { CARD_METHODS, PAYMENT_METHODS, RESOLUTION_STAGES } from "#contracts/report/resolution.ts";
import { paths } from "../config/paths.ts";
import { type Column, dayColumn, wordColumn } from "../shared/list/columns.tsx";
import { ListFilters, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { ReportName, StatusChip } from "../shared/parts.tsx";
import { nextStep } from "./labels.ts";

type Payment = ListedPayment & { readonly id: string };
const METHODS: Readonly<Record<string, string>> = { ...CARD_METHODS, ...PAYMENT_METHODS };

const COLUMNS: readonly Column<Payment>[] = [
  { source: "report", label: "Report", render: ({ report }) => <ReportName report={report} /> },
  {
    source: "report_status",
    label: "Report status",
    width: 108,
    phone: "hidden",
    render: ({ report }) => <StatusChip status={report.status} />,
  },
  wordColumn("stage", "State", RESOLUTION_STAGES, { width: 168 }),
  {
    source: "payments",
    label: "Payments",
    width: 216,
    render: ({ payments, stage }) =>
      payments.length === 0 ? (
        <Box component="span" sx={{ color: "text.secondary" }}>
          {nextStep(stage)}
        </Box>
      ) : (
        payments
          .map(
            ({ method, reference, refunded }) =>
              `${METHODS[method] ?? method}${reference ? `: ${reference}` : ""}${refunded ? ", refunded" : ""}`,
          )
          .join("; ")
      ),
  },
  dayColumn("changed_at", "Changed", { width: 108 }),
  {
    source: "fee",
    label: "Fee",
    align: "right",
    width: 96,
    phone: "end",
    render: ({ fee }) => formatMoney(fee.amount, fee.currency),
  },
];

/**
 * The fees of all reports with their payments. Recording, refusing and refunding are on the report's page, next to
 * the letter.
 */
export function PaymentList() {
  return (
    <RecordList<Payment>
      resource="payments"
      of={["payment", "payments"]}
      columns={COLUMNS}
      pageSizes={[25]}
      to={({ report }) => paths.report(report.id)}
      filters={
        <ListFilters>
          <SelectFilter source="stage" label="State" options={RESOLUTION_STAGES} />
        </ListFilters>
      }
    />
  );
}
