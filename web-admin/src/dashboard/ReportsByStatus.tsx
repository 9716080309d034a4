import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router-dom";
import type { Dashboard } from "#contracts/http/analytics.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { FigureTable } from "../shared/figures/FigureTable.tsx";
import { amountIn, formatTotals } from "../shared/figures/figure-words.ts";
import { Part } from "../shared/figures/Part.tsx";
import { formatCount } from "../shared/formats.ts";
import { StatusChip } from "../shared/StatusChip.tsx";
import { reportsOf } from "./DashboardTiles.tsx";

const TITLE = "Reports by Status";
const MAIN = "USD";

/** How many reports there are of each status, and what they say is owed. */
export function ReportsByStatus(props: {
  readonly reports: Dashboard["reports"] | undefined;
  readonly onRetry: () => void;
}) {
  return (
    <Part title={TITLE} data={props.reports} onRetry={props.onRetry}>
      {({ statuses }) => (
        <FigureTable
          label={TITLE}
          columns={["Status", "Reports", `Total due (${MAIN})`, "Other currencies"]}
          rows={statuses.map(({ status, reports, totals }) => {
            const others = totals.filter(({ currency }) => currency !== MAIN);
            return {
              key: status,
              cells: [
                <Link key="status" component={RouterLink} to={reportsOf(status)} underline="none">
                  <StatusChip status={status} />
                </Link>,
                formatCount(reports),
                formatMoney(amountIn(totals, MAIN), MAIN),
                others.length > 0 ? formatTotals(others) : "",
              ],
            };
          })}
        />
      )}
    </Part>
  );
}
