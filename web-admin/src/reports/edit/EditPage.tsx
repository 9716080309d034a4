import { useRequireAccess } from "react-admin";
import { useParams } from "react-router-dom";
import { OwnReportNotice } from "../record/OwnReportNotice.tsx";
import { RecordSkeleton } from "../record/RecordSkeleton.tsx";
import { ReportLoadError } from "../record/ReportLoadError.tsx";
import { useReport } from "../record/use-report.ts";
import { EditForm } from "./EditForm.tsx";

/** Loads a report and shows its edit form. */
export function EditPage() {
  const { id = "" } = useParams();
  const { isPending: isChecking } = useRequireAccess({ resource: "reports", action: "edit" });
  const { data, error, refetch } = useReport(id, !isChecking);
  if (error) return <ReportLoadError id={id} error={error} onRetry={() => void refetch()} />;
  if (!data) return <RecordSkeleton />;
  if (data.own) return <OwnReportNotice />;
  return <EditForm key={data.id} report={data} />;
}
