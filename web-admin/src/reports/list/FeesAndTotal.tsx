import Box from "@mui/material/Box";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { feesOf } from "../record/ledger.ts";

/** The fees of a report, and the total due that includes them. */
export function FeesAndTotal({ report }: { readonly report: AdminReport }) {
  const fees = feesOf(report);
  return (
    <>
      {formatMoney(report.total_due, report.currency)}
      {fees > 0 && (
        <Box component="span" sx={{ color: "text.secondary", display: { md: "block" } }}>
          <Box component="span" sx={{ display: { md: "none" } }}>
            , with{" "}
          </Box>
          fees {formatMoney(fees, report.currency)}
        </Box>
      )}
    </>
  );
}
