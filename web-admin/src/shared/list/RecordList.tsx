import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Paper from "@mui/material/Paper";
import Popover from "@mui/material/Popover";
import { type Theme, ThemeProvider, useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ReactNode, Suspense, useRef, useState } from "react";
import {
  ExportButton,
  ListContextProvider,
  type ListControllerProps,
  type ListControllerResult,
  Pagination,
  type RaRecord,
  ResourceContextProvider,
  SavedQueriesList,
  useListContext,
  useListController,
  useStore,
} from "react-admin";
import { given } from "#contracts/given.ts";
import type { ExportAsk, ExportableList } from "#contracts/http/list-exports.ts";
import { color } from "#theme/color.ts";
import { loadFailureText } from "../../data/api-error.ts";
import { askedFilter } from "../asked-filter.ts";
import { counted, formatCount } from "../formats.ts";
import { later } from "../later.ts";
import { EmptyNote, Failure, Loading, Placeholder, RetryAlert } from "../states.tsx";
import { useAnchor } from "../use-anchor.ts";
import { visuallyHidden } from "../visually-hidden.ts";
import { ColumnsButton, useShownColumns } from "./columns.tsx";
import { NarrowRows, type RowsProps, WideRows } from "./RecordRows.tsx";
import { SAVED_FAILURE, SAVED_VALUE } from "./saved-queries.ts";

type Slot<Row extends RaRecord> = ReactNode | ((list: ListControllerResult<Row>) => ReactNode);

interface RecordListProps<Row extends RaRecord>
  extends Pick<RowsProps<Row>, "to" | "selectAs">,
    Pick<ListControllerProps<Row>, "sort" | "storeKey"> {
  readonly resource: string;
  readonly columns:
    | RowsProps<Row>["columns"]
    | ((list: ListControllerResult<Row>) => RowsProps<Row>["columns"]);
  /** One of its rows, and many: `["report", "reports"]`. */
  readonly of: readonly [one: string, many: string];
  /** Name of the table; that of the rows when absent. */
  readonly label?: string;
  /** Rows of a page at first, and all numbers that can be chosen. A list with one number has no choice. */
  readonly perPage?: number;
  readonly pageSizes?: readonly number[];
  /** Its pages have more or fewer rows than it says: no number of rows is known. */
  readonly isUneven?: true;
  readonly filters?: ReactNode;
  /** The list's name among saved queries. */
  readonly saved?: true;
  readonly exports?: ExportableList;
  /** Beside the buttons above the list: at the start, and at the end. */
  readonly lead?: Slot<Row>;
  readonly actions?: Slot<Row>;
  readonly tabs?: Slot<Row>;
  /** Above the rows: what can be done with selected ones. */
  readonly bulk?: Slot<Row>;
  readonly empty?: Slot<Row>;
  readonly failure?: (error: unknown) => string;
  readonly onRetry?: (list: ListControllerResult<Row>) => void;
}

/**
 * A list of the console, on react-admin's parts: filters, order and page in the address, columns that can be chosen,
 * saved queries, export, pages; a table, or rows of two lines on a narrow screen. It reads what the data provider's
 * `getList` answers for the resource.
 */
export function RecordList<Row extends RaRecord>(props: RecordListProps<Row>) {
  const { resource, of, perPage = 25, pageSizes = [10, 25, 50, 100] } = props;
  const { label = of[1].charAt(0).toUpperCase() + of[1].slice(1), to, selectAs } = props;
  const { sort, storeKey, isUneven } = props;
  const isWide = useMediaQuery(useTheme().breakpoints.up("lg"));
  const list = useFilteredList<Row>({ resource, perPage, ...given({ sort, storeKey }) });
  const columns = typeof props.columns === "function" ? props.columns(list) : props.columns;
  const shown = useShownColumns(storeKey || resource, columns);
  const slot = (part: Slot<Row>) => (typeof part === "function" ? part(list) : part);
  const { data, error, hasNextPage, isFetching, isPending, total } = list;
  // An uneven page may have no rows, and still another behind it.
  const isEmpty = !isPending && !error && data?.length === 0 && !hasNextPage;
  const isUnread = error && !data;
  const rows = { label, columns, shown, to, selectAs };
  const lead = slot(props.lead);
  const buttons = (
    <>
      {props.saved && <SavedQueries />}
      {columns.length > 1 && <ColumnsButton columns={shown} />}
      {props.exports && <ListExport list={props.exports} />}
      {slot(props.actions)}
    </>
  );
  const retry = () => (props.onRetry ? props.onRetry(list) : void list.refetch());
  return (
    <ResourceContextProvider value={resource}>
      <ListContextProvider value={list}>
        {lead && (
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mb: 2, alignItems: "center" }}>
            <Box sx={{ flex: { xs: "1 1 100%", md: 1 } }}>{lead}</Box>
            {buttons}
          </Box>
        )}
        <Paper sx={{ border: 1, borderColor: "divider", position: "relative" }}>
          {slot(props.tabs)}
          {/* Above the fields where there is no room beside them. */}
          <Box
            sx={{
              display: "flex",
              flexWrap: "wrap-reverse",
              alignItems: "end",
              justifyContent: "flex-end",
            }}
          >
            <Box sx={{ flex: "1 1 min(640px, 100%)", minWidth: 0 }}>{props.filters}</Box>
            {!lead && (
              <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, px: 2, py: 1.5 }}>
                {buttons}
              </Box>
            )}
          </Box>
          {slot(props.bulk)}
          <Box sx={{ height: 4 }}>{isFetching && <Loading what={of[1]} />}</Box>
          {error && (
            <Box sx={{ m: 2 }}>
              <RetryAlert
                onRetry={retry}
                action={
                  list.page > 1 && (
                    <Button color="inherit" onClick={() => list.setPage(1)}>
                      First page
                    </Button>
                  )
                }
              >
                {props.failure?.(error) ?? loadFailureText(of[1], error)}
              </RetryAlert>
            </Box>
          )}
          {isEmpty && (slot(props.empty) ?? <NothingHere list={list} many={of[1]} />)}
          {isPending && !error && <Placeholder height={320} />}
          {data && !isEmpty && (isWide ? <WideRows {...rows} /> : <NarrowRows {...rows} />)}
          {!isUnread && (
            <Pagination
              rowsPerPageOptions={[...pageSizes]}
              {...(isUneven && { labelDisplayedRows: () => `Page ${formatCount(list.page)}` })}
            />
          )}
        </Paper>
        <Box role="status" sx={visuallyHidden}>
          {!isFetching && total !== undefined && !isUneven && counted(total, of[0], of[1])}
        </Box>
      </ListContextProvider>
    </ResourceContextProvider>
  );
}

/** Says that there are no rows, or none that match, with the way back to all of them. */
export function NothingHere(props: {
  readonly list: Pick<ListControllerResult, "filterValues" | "setFilters">;
  readonly many: string;
  /** Instead of "No entries yet", and of "No entries match these filters". */
  readonly title?: string;
  /** Name of the filter that a tab sets, which stays. */
  readonly tab?: string;
}) {
  const { list, many, title, tab = "" } = props;
  const { [tab]: chosen, ...filters } = list.filterValues;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <EmptyNote title={title ?? (isFiltered ? `No ${many} match these filters` : `No ${many} yet`)}>
      {isFiltered && (
        <Button variant="outlined" onClick={() => list.setFilters(chosen ? { [tab]: chosen } : {})}>
          Show all {many}
        </Button>
      )}
    </EmptyNote>
  );
}

/**
 * A list of react-admin's, which keeps the rows of the page before until the next ones come. Those of another filter
 * are not kept: that there are none, or so many, would be said of the new one.
 */
function useFilteredList<Row extends RaRecord>(
  props: Omit<ListControllerProps<Row>, "queryOptions">,
): ListControllerResult<Row> {
  const list = useListController<Row>({ ...props, queryOptions: { onError: () => undefined } });
  const filter = JSON.stringify(list.filterValues);
  const known = useRef(filter);
  if (!list.isPlaceholderData) known.current = filter;
  const textOf = (values: object) => JSON.stringify(Object.entries(askedFilter(values)).sort());
  const setFilters: typeof list.setFilters = (filters, ...more) => {
    // What the fields say again once they have come to rest is no step in the history.
    if (textOf(filters) !== textOf(list.filterValues)) list.setFilters(filters, ...more);
  };
  if (known.current === filter) return { ...list, setFilters };
  const unknown = { data: undefined, total: undefined, meta: undefined, error: null } as const;
  return { ...list, setFilters, ...unknown, isPending: true };
}

const ExportDialog = later("ExportDialog", () => import("./ExportDialog.tsx"));

/**
 * Saves what a list shows, all pages of it, as a file. The rows come from the server's export, which records it first;
 * react-admin's button reads one row before, as it must.
 */
function ListExport({ list }: { readonly list: ExportableList }) {
  const { filterValues } = useListContext();
  const [ask, setAsk] = useState<ExportAsk>();
  return (
    <>
      <ExportButton
        label="Export"
        // On a phone react-admin gives its button a name only while it is enabled.
        aria-label="Export"
        variant="outlined"
        size="medium"
        maxResults={1}
        sx={{
          "&.MuiIconButton-root": {
            p: 0,
            width: 40,
            height: 40,
            border: 1,
            borderColor: color.lineStrong,
          },
        }}
        exporter={() => setAsk({ list, filter: askedFilter(filterValues) })}
      />
      {ask && (
        <Suspense fallback={null}>
          <ExportDialog ask={ask} onClose={() => setAsk(undefined)} />
        </Suspense>
      )}
    </>
  );
}

/** Its list has a button beside the items, which no list may have. */
const withoutLists = (outer: Theme): Theme => ({
  ...outer,
  components: {
    ...outer.components,
    MuiList: { defaultProps: { component: "div" } as object },
    MuiListItem: { defaultProps: { component: "div" } as object },
  },
});

/** One's own filters of a list, which the server keeps: applied, saved under a name, removed. */
function SavedQueries() {
  const list = useListContext();
  const { button, below } = useAnchor("dialog");
  const [failure] = useStore<string>(SAVED_FAILURE, "");
  return (
    <>
      <Button variant="outlined" {...button}>
        Saved queries
      </Button>
      <Popover
        {...below}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
        slotProps={{ paper: { role: "dialog", "aria-label": "Saved queries" } as object }}
      >
        <Box
          sx={{
            width: 280,
            position: "relative",
            px: 2,
            pb: 2,
            // A press on the query itself drops it as well; this button has no name.
            "& .MuiListItem-secondaryAction > .MuiListItemSecondaryAction-root": {
              display: "none",
            },
          }}
        >
          <Failure>{failure}</Failure>
          {/* A saved query is a filter, whatever the order and the size of pages. */}
          <ListContextProvider
            value={{ ...list, ...SAVED_VALUE, filterValues: askedFilter(list.filterValues) }}
          >
            <ThemeProvider theme={withoutLists}>
              <SavedQueriesList />
            </ThemeProvider>
          </ListContextProvider>
        </Box>
      </Popover>
    </>
  );
}
