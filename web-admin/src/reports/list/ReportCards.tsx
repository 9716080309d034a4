import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { color } from "#theme/color.ts";
import { paths } from "../../config/paths.ts";
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
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
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
      <Box sx={{ display: "flex", gap: 2, justifyContent: "space-between" }}>
        <Link
          component={RouterLink}
          to={paths.report(report.id)}
          sx={{ fontWeight: 600, py: 1.25, my: -1.25, overflowWrap: "anywhere" }}
        >
          {personName(report)}
        </Link>
        {columns.shows("Amount") && (
          <Box sx={{ fontWeight: 600, fontVariantNumeric: "tabular-nums" }}>
            {formatMoney(report.amount, report.currency)}
          </Box>
        )}
      </Box>
      {columns.shows("Title") && (
        <Typography sx={{ overflowWrap: "anywhere" }}>{report.title}</Typography>
      )}
      <Typography color="textSecondary">
        <Instant at={report.created_at} as="day" />
        {report.origin === "sample" && " · Sample"}
        {columns.shows("Verified") && (report.verified ? " · Verified" : " · Not verified")}
      </Typography>
      <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
        {columns.shows("Fees & Total") && (
          <>
            Total <FeesAndTotal report={report} />{" "}
          </>
        )}
        {columns.shows("Additional CBs") &&
          report.chargebacks.length > 0 &&
          `Additional CBs: ${report.chargebacks.length}`}
      </Typography>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, minHeight: 44 }}>
        <SelectBox
          label={`Select ${personName(report)}`}
          checked={selection.has(report.id)}
          onChange={(isSelected) => selection.set([report], isSelected)}
        />
        <Box sx={{ flex: 1 }}>
          {columns.shows("Status") && (
            <>
              <StatusChip status={report.status} />
              <HeldMark report={report} />
            </>
          )}
        </Box>
        {columns.shows("Emergency Actions") && <RowActions report={report} />}
      </Box>
    </Box>
  );
}
