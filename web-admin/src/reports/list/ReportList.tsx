import RefreshIcon from "@mui/icons-material/Refresh";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import LinearProgress from "@mui/material/LinearProgress";
import Paper from "@mui/material/Paper";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useQueryClient } from "@tanstack/react-query";
import { ListContextProvider, Pagination, useNotify } from "react-admin";
import { given } from "#contracts/given.ts";
import type { ReportFilters as ReportFilter } from "#contracts/http/admin-reports.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { loadFailureText } from "../../data/api-error.ts";
import { useColumns } from "../../shared/columns/use-columns.ts";
import { Delayed } from "../../shared/Delayed.tsx";
import { EmptyNote } from "../../shared/EmptyNote.tsx";
import { counted } from "../../shared/formats.ts";
import { ListError } from "../../shared/ListError.tsx";
import { ListExport } from "../../shared/list/ListExport.tsx";
import { SavedFilters } from "../../shared/saved-filters/SavedFilters.tsx";
import { useFilteredList } from "../../shared/use-filtered-list.ts";
import { useStatusCounts } from "../../shared/use-status-counts.ts";
import { BulkBar } from "./BulkBar.tsx";
import { QuickStats } from "./QuickStats.tsx";
import { ReportCards } from "./ReportCards.tsx";
import { hasFilter, ReportFilters } from "./ReportFilters.tsx";
import { REPORT_COLUMNS, ReportTable } from "./ReportTable.tsx";
import { StatusTabs } from "./StatusTabs.tsx";
import { useSelection } from "./use-selection.ts";

const PAGE_SIZE = 25;

/** All reports, by status, filter and page. All three are in the address. */
export function ReportList() {
  const notify = useNotify();
  const { counts, failed } = useStatusCounts();
  const queryClient = useQueryClient();
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const list = useFilteredList<AdminReport>({
    resource: "reports",
    perPage: PAGE_SIZE,
    sort: { field: "created_at", order: "DESC" },
  });
  const { data, error, isFetching, isPending, sort, setSort } = list;
  const filter = list.filterValues as ReportFilter;
  const columns = useColumns("reports", REPORT_COLUMNS);
  const selection = useSelection(JSON.stringify(filter));
  const narrow = (change: Partial<Record<keyof ReportFilter, string | undefined>>) =>
    list.setFilters(withoutAbsent({ ...filter, ...change }));
  const refresh = async () => {
    void queryClient.invalidateQueries({ queryKey: ["reports", "counts"] });
    const loaded = loadedCount(await list.refetch());
    if (loaded !== undefined) {
      notify(`Loaded ${loaded} reports successfully`, { type: "success" });
    }
  };
  const isEmpty = !isPending && !error && data?.length === 0;
  return (
    <ListContextProvider value={list}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mb: 2, alignItems: "center" }}>
        <Box sx={{ flex: { xs: "1 1 100%", md: 1 } }}>
          <QuickStats counts={counts} failed={failed} />
        </Box>
        <SavedFilters list="reports" filter={filter} onApply={(next) => list.setFilters(next)} />
        <ListExport list="reports" />
        {isWide ? (
          <Button variant="outlined" startIcon={<RefreshIcon />} onClick={() => void refresh()}>
            Refresh
          </Button>
        ) : (
          <IconButton
            aria-label="Refresh"
            onClick={() => void refresh()}
            sx={{ width: 44, height: 44 }}
          >
            <RefreshIcon />
          </IconButton>
        )}
      </Box>
      <Paper sx={{ border: 1, borderColor: "divider", position: "relative" }}>
        <StatusTabs filter={filter} counts={counts} onChange={narrow} />
        <ReportFilters filter={filter} onChange={narrow} columns={columns} />
        <BulkBar selection={selection} list={{ filter, sort, total: list.total }} />
        <Box sx={{ height: 4 }}>
          {isFetching && (
            <Delayed>
              <LinearProgress aria-label="Loading reports" />
            </Delayed>
          )}
        </Box>
        {error && (
          <ListError
            page={list.page}
            onFirstPage={() => list.setPage(1)}
            onRetry={() => void refresh()}
          >
            {loadFailureText("reports", error)}
          </ListError>
        )}
        {isEmpty && <NothingHere filter={filter} onClear={() => list.setFilters({})} />}
        {!isEmpty &&
          !(error && !data) &&
          (isWide ? (
            <ReportTable
              reports={data}
              selection={selection}
              columns={columns}
              rows={8}
              sort={sort}
              onSort={(field) =>
                setSort({
                  field,
                  order: sort.field === field && sort.order === "DESC" ? "ASC" : "DESC",
                })
              }
            />
          ) : (
            <ReportCards reports={data} selection={selection} columns={columns} />
          ))}
        {!(error && !data) && <Pagination rowsPerPageOptions={[10, 25, 50, 100]} />}
      </Paper>
      <Box
        role="status"
        sx={{
          position: "absolute",
          width: "1px",
          height: "1px",
          overflow: "hidden",
          clip: "rect(0 0 0 0)",
        }}
      >
        {!isFetching && list.total !== undefined && counted(list.total, "report", "reports")}
      </Box>
    </ListContextProvider>
  );
}

/** Number of rows in a list that was loaded again; undefined if it was not, e.g. after sign-out. */
function loadedCount(result: unknown): number | undefined {
  const { isError, data } = (result ?? {}) as {
    isError?: boolean;
    data?: { data?: unknown[]; total?: number };
  };
  return isError || data?.total === undefined ? undefined : data.data?.length;
}

function NothingHere({
  filter,
  onClear,
}: {
  readonly filter: ReportFilter;
  readonly onClear: () => void;
}) {
  const { status, verified, to_decide, ...others } = filter;
  if (to_decide === "all" && !hasFilter({ ...others, ...given({ status, verified }) }))
    return <EmptyNote title="The queue is empty">No report waits for a decision.</EmptyNote>;
  if (
    status === "pending" &&
    verified === "false" &&
    !hasFilter({ ...others, ...given({ to_decide }) })
  )
    return <EmptyNote title="No unconfirmed reports">Every pending report is confirmed.</EmptyNote>;
  if (hasFilter({ ...others, ...given({ verified, to_decide }) })) {
    return (
      <EmptyNote title="No reports match these filters">
        <Button variant="outlined" onClick={onClear}>
          Show all reports
        </Button>
      </EmptyNote>
    );
  }
  if (status) return <EmptyNote title="No reports in this status">Choose another tab.</EmptyNote>;
  return (
    <EmptyNote title="No reports yet">Reports appear here as soon as they are submitted.</EmptyNote>
  );
}

function withoutAbsent(filter: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
