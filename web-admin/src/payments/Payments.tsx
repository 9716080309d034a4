import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useDataProvider } from "react-admin";
import type { ListedPayment } from "#contracts/http/documents.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { CARD_METHODS, PAYMENT_METHODS, RESOLUTION_STAGES } from "#contracts/report/resolution.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { Instant } from "../shared/Instant.tsx";
import { ListFilter } from "../shared/ListFilter.tsx";
import { PagedList } from "../shared/PagedList.tsx";
import { ReportLink } from "../shared/ReportLink.tsx";
import { usePages } from "../shared/use-pages.ts";
import { nextStep } from "./payment-words.ts";

const COLUMNS = ["State", "Changed", "Payments", "Fee"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;

/**
 * The fees of all reports with their payments. Noting, refusing and refunding stand on the page of the report,
 * beside the letter.
 */
export function Payments() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const list = usePages("payments", ["stage"], provider.payments);
  const columns = useColumns("payments", COLUMNS);
  return (
    <PagedList
      list={list}
      what="payments"
      columns={columns}
      filters={
        <ListFilter
          list={list}
          name="stage"
          label="State"
          options={Object.entries(RESOLUTION_STAGES)}
          width={240}
        />
      }
    >
      {list.pages?.flatMap(({ payments }) =>
        payments.map((payment) => <Fee key={payment.report.id} fee={payment} columns={columns} />),
      ) ?? []}
    </PagedList>
  );
}

function Fee({
  fee: { report, stage, fee, changed_at, payments },
  columns,
}: {
  readonly fee: ListedPayment;
  readonly columns: Shown;
}) {
  const listed = columns.shows("Payments") ? payments : [];
  const methods: Readonly<Record<string, string>> = { ...CARD_METHODS, ...PAYMENT_METHODS };
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        gap: 1,
        gridTemplateColumns: { md: "minmax(0, 2fr) minmax(0, 2fr) minmax(0, 2fr) 110px" },
      }}
    >
      <ReportLink report={report} />
      <Box>
        {columns.shows("State") && (
          <Typography sx={{ fontWeight: 600 }}>{RESOLUTION_STAGES[stage]}</Typography>
        )}
        {columns.shows("Changed") && (
          <Typography color="textSecondary">
            Changed <Instant at={changed_at} />
          </Typography>
        )}
      </Box>
      <Box sx={{ minWidth: 0 }}>
        {listed.map((payment) => (
          <Typography key={payment.payment_id} sx={{ overflowWrap: "anywhere" }}>
            {methods[payment.method] ?? payment.method}
            {payment.reference && `: ${payment.reference}`}
            {payment.refunded && ", refunded"}
          </Typography>
        ))}
        {columns.shows("Payments") && payments.length === 0 && (
          <Typography color="textSecondary">{nextStep(stage)}</Typography>
        )}
      </Box>
      <Typography sx={{ textAlign: { md: "right" }, fontVariantNumeric: "tabular-nums" }}>
        {columns.shows("Fee") && (
          <>
            {/* Beside the rest it needs no name. */}
            <Box component="span" sx={{ color: "text.secondary", display: { md: "none" } }}>
              Fee{" "}
            </Box>
            {formatMoney(fee.amount, fee.currency)}
          </>
        )}
      </Typography>
    </Box>
  );
}
