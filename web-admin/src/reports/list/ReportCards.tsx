import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import { Fragment } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { color } from "#theme/color.ts";
import { paths } from "../../config/paths.ts";
import { CardFacts } from "../../shared/CardFacts.tsx";
import { Delayed } from "../../shared/Delayed.tsx";
import { Instant } from "../../shared/Instant.tsx";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { personName } from "../record/person-name.ts";
import { FeesAndTotal } from "./FeesAndTotal.tsx";
import { HeldMark } from "./HeldMark.tsx";
import type { ReportColumns } from "./ReportTable.tsx";
import { RowActions } from "./RowActions.tsx";
import { SelectBox } from "./SelectBox.tsx";
import type { Selection } from "./use-selection.ts";

export interface ReportCardsProps {
  /** Undefined while the first page loads. */
  readonly reports: readonly AdminReport[] | undefined;
  readonly selection: Selection;
  readonly columns: ReportColumns;
}

/** The reports as a list of cards, for narrow screens. */
export function ReportCards({ reports, selection, columns }: ReportCardsProps) {
  return (
    <Box component="ul" aria-label="Reports" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {reports
        ? reports.map((report) => (
            <ReportCard key={report.id} report={report} selection={selection} columns={columns} />
          ))
        : ["first", "second", "third", "fourth"].map((key) => (
            <Box key={key} component="li" sx={{ p: 2, borderTop: `1px solid ${color.line}` }}>
              <Delayed>
                <Skeleton variant="text" width="60%" />
                <Skeleton variant="text" />
                <Skeleton variant="text" width="80%" />
              </Delayed>
            </Box>
          ))}
    </Box>
  );
}

function ReportCard({
  report,
  selection,
  columns,
}: {
  readonly report: AdminReport;
  readonly selection: Selection;
  readonly columns: ReportColumns;
}) {
  return (
    <Box component="li" sx={{ px: 2, py: 1.5, borderTop: `1px solid ${color.line}` }}>
      <Box sx={{ display: "flex", alignItems: "center", ml: -1 }}>
        <SelectBox
          label={`Select ${personName(report)}`}
          checked={selection.has(report.id)}
          onChange={(isSelected) => selection.set([report], isSelected)}
        />
        <Link
          component={RouterLink}
          to={paths.report(report.id)}
          sx={{ fontWeight: 600, py: 1.25, my: -1.25, overflowWrap: "anywhere" }}
        >
          {personName(report)}
        </Link>
      </Box>
      <CardFacts
        facts={[
          [
            "Submitted",
            <Fragment key="at">
              <Instant at={report.created_at} as="day" />
              {report.origin === "sample" && " · Sample"}
            </Fragment>,
          ],
        ]}
      />
      <CardFacts
        shows={columns.shows}
        facts={[
          ["Amount", formatMoney(report.amount, report.currency)],
          ["Title", report.title],
          [
            "Status",
            <Fragment key="status">
              <StatusChip status={report.status} />
              <HeldMark report={report} />
            </Fragment>,
          ],
          ["Verified", report.verified ? "Yes" : "No"],
          ["Additional CBs", report.chargebacks.length],
          ["Fees & Total", <FeesAndTotal key="total" report={report} />],
        ]}
      />
      <Box sx={{ display: "flex", justifyContent: "flex-end" }}>
        {columns.shows("Emergency Actions") && <RowActions report={report} />}
      </Box>
    </Box>
  );
}
