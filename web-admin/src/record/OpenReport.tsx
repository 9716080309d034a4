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
import { Delayed, LoadError, Sorry } from "../shared/states.tsx";

/** Keeps a report apart from rows of lists, which react-admin caches under its ID and which lack some of its fields. */
const meta = { isWhole: true };
/** A deleted report must not stay in memory. */
const UNCACHED = { gcTime: 0, retry: false, onError: () => undefined } as const;

/** The query of one report, which a page that comes next may load before it is opened. */
export function reportQuery(provider: ConsoleDataProvider, id: string) {
  return {
    queryKey: ["reports", "getOne", { id, meta }],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      (await provider.getOne<AdminReportDetail>("reports", { id, meta, signal })).data,
    retry: false,
  };
}

/** The query of a report's history, of one revision where `at` is given, compared with another one where `against` is. */
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

/** The report that {@link OpenReport} shows. */
export const useShownReport = () => useRecordContext() as AdminReportDetail;

/** A report beside the one that the page is about. */
export function useReport(id: string) {
  return useGetOne<AdminReportDetail>("reports", { id, meta }, UNCACHED);
}

/**
 * Why a record cannot be shown. One that was read stays, with what is typed beside it, when reading it again finds the
 * network away or the server busy; not when it is gone, or no longer for this account.
 */
export function unlessShown(data: unknown, error: Error | null | undefined): Error | null {
  const isOver = error instanceof ApiError && [401, 403, 404, 410].includes(error.status);
  return error && (data === undefined || isOver) ? error : null;
}

/**
 * Loads a report for the page in it, or says why it cannot be shown.
 * @param props.id that of the address when absent.
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
      // As the server writes it: react-admin refuses a record with another ID than it asked for.
      id={(id ?? addressed).toLowerCase()}
      disableAuthentication
      queryOptions={{ meta, ...UNCACHED }}
      render={({ record, error, refetch }) => {
        const failure = unlessShown(record, error);
        if (failure) return failed(failure, () => void refetch());
        // Without an id the session has ended, and the sign-in page follows.
        if (!record?.id) return <RecordSkeleton />;
        return <Fragment key={record.id}>{children}</Fragment>;
      }}
    />
  );
}

/** Shown when the report of the address cannot be: it is deleted, unknown, or cannot be loaded now. */
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
    <Sorry
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
    </Sorry>
  );
}

/** A placeholder for a report that is loading. */
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
