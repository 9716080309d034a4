import { Link } from "react-router-dom";
import type { SameOrder } from "#contracts/http/own-reports.ts";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { formatDate } from "../../lib/format.ts";
import { useReportForm } from "./form-context.ts";
import { ReportField } from "./ReportField.tsx";

/** The order's number, and whether the account reported that order before. */
export function OrderField() {
  const { earlier } = useReportForm();
  return (
    <div>
      <ReportField field="tracking_number" />
      <div role="status">{earlier && <SameOrderNotice report={earlier} />}</div>
    </div>
  );
}

/** Tells the owner of an earlier report. Sending another one stays possible. */
export function SameOrderNotice({ report }: { report: NonNullable<SameOrder> }) {
  const { id, created_at, status } = report;
  const end = status === "rejected" ? ", and that report was rejected" : "";
  return (
    <Notice tone="warning">
      <p>
        You reported this order on {formatDate(created_at)}
        {end}.{" "}
        <Link to={paths.ownReport(id)} target="_blank">
          See that report
        </Link>{" "}
        in another tab. You can still submit this one.
      </p>
    </Notice>
  );
}
