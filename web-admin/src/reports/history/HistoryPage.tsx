import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCanAccess, useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink, useParams, useSearchParams } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import type { ConsoleDataProvider, ReportHistory } from "../../data/console-data-provider.ts";
import { CopyNumber } from "../../shared/CopyNumber.tsx";
import { PageHeading } from "../../shared/PageHeading.tsx";
import { nameInHistory } from "../record/history-sentences.ts";
import { RecordSkeleton } from "../record/RecordSkeleton.tsx";
import { ReportLoadError } from "../record/ReportLoadError.tsx";
import { historyQuery, unlessShown } from "../record/use-report.ts";
import { AsItStood } from "./AsItStood.tsx";
import { Timeline } from "./Timeline.tsx";

/** Everything that happened to a report. With `?at=<revision>`, the report as of that revision. */
export function HistoryPage() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const at = revisionIn(query.get("at"));
  const against = at === undefined ? undefined : revisionIn(query.get("against"));
  const { isPending: isChecking } = useRequireAccess({ resource: "reports", action: "history" });
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...historyQuery(provider, id, at, against),
    enabled: !isChecking,
    placeholderData: keepPreviousData,
  });
  const failure = unlessShown(isPlaceholderData ? undefined : data, error);
  if (failure) return <ReportLoadError id={id} error={failure} onRetry={() => void refetch()} />;
  if (!data) return <RecordSkeleton />;
  return <OpenHistory history={data.data} at={at} against={against} />;
}

function OpenHistory({
  history,
  at,
  against,
}: {
  readonly history: ReportHistory;
  readonly at: number | undefined;
  readonly against: number | undefined;
}) {
  const { report_id: id, erased } = history;
  const { canAccess: mayOpen } = useCanAccess({ resource: "reports", action: "show" });
  const name = nameInHistory(history.events) || "a deleted report";
  return (
    <Box sx={{ maxWidth: 880 }}>
      <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap", alignItems: "center", mb: 2 }}>
        <Box sx={{ flex: 1, minWidth: 200 }}>
          <PageHeading title={`History of ${name}`}>History of {name}</PageHeading>
          <Typography component="div" color="textSecondary">
            <CopyNumber id={id} />
            {history.events.some(({ origin }) => origin === "sample") && " A sample"}
          </Typography>
        </Box>
        {mayOpen && !erased && (
          <Button variant="outlined" component={RouterLink} to={paths.report(id)}>
            Open the report
          </Button>
        )}
      </Box>
      {erased && (
        <Alert severity="info" sx={{ mb: 2 }}>
          This report was deleted. Names and texts are destroyed and missing below; who did what,
          and when, stays.
        </Alert>
      )}
      {at === undefined ? (
        <Timeline history={history} />
      ) : (
        <AsItStood history={history} at={at} against={against} />
      )}
    </Box>
  );
}

function revisionIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
