import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { Fragment, type ReactNode } from "react";
import { ShowBase, useGetOne, useRecordContext } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { DeletionSteps } from "../commands/DeletionSteps.tsx";
import { paths } from "../config/paths.ts";
import { ApiError } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { formatInstant } from "../shared/formats.ts";
import { deletionReasonText } from "../shared/labels.ts";
import { blockingError, Delayed, ErrorPage, LoadError } from "../shared/states.tsx";

/**
 * Separates a report from list rows, which react-admin caches under the same ID and which lack some of its fields.
 */
const meta = { isWhole: true };
/** A deleted report must not stay in memory. */
const UNCACHED = { gcTime: 0, retry: false, onError: () => undefined } as const;

/** Query of one report. A page can prefetch it before the report is opened. */
export function reportQuery(provider: ConsoleDataProvider, id: string) {
  return {
    queryKey: ["reports", "getOne", { id, meta }],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      (await provider.getOne<AdminReportDetail>("reports", { id, meta, signal })).data,
    retry: false,
  };
}

/** Query of a report's history: optionally at revision `at`, and compared with revision `against`. */
export function historyQuery(
  provider: ConsoleDataProvider,
  id: string,
  at?: number,
  against?: number,
) {
  return {
    queryKey: ["reports", "history", id, at ?? null, against ?? null],
    queryFn: () => provider.reportHistory(id, at, against),
    retry: false,
  };
}

/** The report shown by the enclosing {@link OpenReport}. */
export const useShownReport = () => useRecordContext() as AdminReportDetail;

/** Loads a report other than the one the page is about. */
export function useReport(id: string) {
  return useGetOne<AdminReportDetail>("reports", { id, meta }, UNCACHED);
}

/**
 * Loads a report for its children, or shows why it can't be displayed.
 * @param props.id defaults to the ID in the URL.
 */
export function OpenReport({
  id,
  failed = (error, retry) => <ReportLoadError error={error} onRetry={retry} />,
  children,
}: {
  readonly id?: string;
  readonly failed?: (error: Error, retry: () => void) => ReactNode;
  readonly children: ReactNode;
}) {
  const { id: addressed = "" } = useParams();
  return (
    <ShowBase<AdminReportDetail>
      resource="reports"
      // Lowercase, like the server's: react-admin rejects a record whose ID differs from the requested one.
      id={(id ?? addressed).toLowerCase()}
      disableAuthentication
      queryOptions={{ meta, ...UNCACHED }}
      render={({ record, error, refetch }) => {
        const failure = blockingError(record, error);
        if (failure) return failed(failure, () => void refetch());
        // No ID means the session has ended; the sign-in page follows.
        if (!record?.id) return <RecordSkeleton />;
        return <Fragment key={record.id}>{children}</Fragment>;
      }}
    />
  );
}

/** Shown if the report in the URL is deleted, unknown, or can't be loaded now. */
export function ReportLoadError(props: { readonly error: Error; readonly onRetry: () => void }) {
  const { error, onRetry } = props;
  const { id = "" } = useParams();
  const link = (words: string, to: string, isFirst = false) => (
    <Button key={to} variant={isFirst ? "contained" : "outlined"} component={RouterLink} to={to}>
      {words}
    </Button>
  );
  const list = link("All reports", paths.reports);
  if (!(error instanceof ApiError) || error.status !== 410)
    return (
      <LoadError
        what="report"
        absence="Check the address for typos."
        list={list}
        error={error}
        onRetry={onRetry}
      />
    );
  const { by, erase_at: eraseAt, reason_code: reasonCode = "" } = error.fields;
  return (
    <ErrorPage
      title="This report was deleted"
      actions={[
        eraseAt && (
          <DeletionSteps
            key="steps"
            id={id}
            by={by}
            reasonCode={reasonCode}
            isHidden
            onDone={onRetry}
          />
        ),
        link("History", paths.reportHistory(id), !eraseAt),
        eraseAt ? link("All deleted reports", paths.deletedReports) : list,
      ]}
    >
      {eraseAt
        ? `Reason: ${deletionReasonText(reasonCode).toLowerCase()}. It will be erased on ${formatInstant(eraseAt)}. Until then, any admin can undo the deletion. After that it's final.`
        : "Its personal data was destroyed."}{" "}
      The history still shows who did what and when.
    </ErrorPage>
  );
}

export function RecordSkeleton() {
  return (
    <Delayed>
      <Box role="status" aria-label="Loading the report" sx={{ display: "grid", gap: 2 }}>
        <Skeleton variant="rounded" height={88} />
        <Skeleton variant="rounded" height={480} />
      </Box>
    </Delayed>
  );
}
