import Alert from "@mui/material/Alert";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReportDetail, NoticeHold } from "#contracts/http/report-view.ts";
import { paths } from "../../config/paths.ts";
import { Instant } from "../../shared/Instant.tsx";

/** Which DMCA notices keep the report, or pictures of it, from being public, and what can be done. */
export function HeldNotice({ report: { holds, own } }: { readonly report: AdminReportDetail }) {
  const ofReport = holds.filter(({ copy_id }) => copy_id === undefined);
  const ofPictures = holds.filter(({ copy_id }) => copy_id !== undefined);
  return (
    <>
      {ofReport.length > 0 && (
        <Alert severity="warning" icon={false}>
          <Sources holds={ofReport} /> {ofReport.length > 1 ? "keep" : "keeps"} the report from
          being public. Its status stays until{" "}
          {ofReport.length > 1 ? "the last notice" : "the notice"} is lifted or answered by a
          counter-notice
          {own ? "." : ", which is done on its page. The report can still be edited or deleted."}
        </Alert>
      )}
      {ofPictures.length > 0 && (
        <Alert severity="warning" icon={false}>
          <Sources holds={ofPictures} /> {ofPictures.length > 1 ? "keep" : "keeps"} a published
          picture hidden. It is shown again once the notice is lifted or answered by a
          counter-notice
          {own ? "." : ", which is done on its page."}
        </Alert>
      )}
    </>
  );
}

/** "DMCA notice N-12345-67890 (since Nov 23, 2026, 10:00:00 AM EST) and ..." */
function Sources({ holds }: { readonly holds: readonly NoticeHold[] }) {
  return holds.map(({ notice_id, number, since, copy_id }, index) => (
    <span key={`${notice_id} ${copy_id}`}>
      {index > 0 && " and "}
      {index === 0 && (holds.length > 1 ? "DMCA notices " : "DMCA notice ")}
      <Link component={RouterLink} to={paths.notice(notice_id)}>
        {number}
      </Link>{" "}
      (since <Instant at={since} />)
    </span>
  ));
}
