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
import type { ExportAsk, ExportableList } from "#contracts/http/list-exports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { color } from "#theme/color.ts";
import { loadFailureText } from "../../data/api-error.ts";
import { askedFilter } from "../asked-filter.ts";
import { counted, formatCount } from "../formats.ts";
import { lazyExport } from "../later.ts";
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
  /** Singular and plural for its rows: `["report", "reports"]`. */
  readonly of: readonly [one: string, many: string];
  /** Name of the table; defaults to the plural for its rows. */
  readonly label?: string;
  /** Initial page size. `pageSizes` are the options; a list with one option has no choice. */
  readonly perPage?: number;
  readonly pageSizes?: readonly number[];
  /** Pages vary in size, so the total number of rows is unknown. */
  readonly isUneven?: true;
  readonly filters?: ReactNode;
  /** Whether the list supports saved queries. */
  readonly saved?: true;
  readonly exports?: ExportableList;
  /** Before the buttons above the list; `actions` come after them. */
  readonly lead?: Slot<Row>;
  readonly actions?: Slot<Row>;
  readonly tabs?: Slot<Row>;
  /** Actions on selected rows, above the rows. */
  readonly bulk?: Slot<Row>;
  readonly empty?: Slot<Row>;
  readonly failure?: (error: unknown) => string;
  readonly onRetry?: (list: ListControllerResult<Row>) => void;
}

/**
 * A list of the console, built on react-admin: filters and sort order in the URL, column selection, saved queries,
 * export and pagination; a table, or two-line rows on narrow screens. It shows what the data provider's `getList`
 * returns for the resource.
 */
export function RecordList<Row extends RaRecord>(props: RecordListProps<Row>) {
  const { resource, of, perPage = 25, pageSizes = [10, 25, 50, 100] } = props;
  const { label = of[1].charAt(0).toUpperCase() + of[1].slice(1), to, selectAs } = props;
  const { sort, storeKey, isUneven } = props;
  const isWide = useMediaQuery(useTheme().breakpoints.up("lg"));
  const list = useFilteredList<Row>({ resource, perPage, ...omitUndefined({ sort, storeKey }) });
  const columns = typeof props.columns === "function" ? props.columns(list) : props.columns;
  const shown = useShownColumns(storeKey || resource, columns);
  const slot = (part: Slot<Row>) => (typeof part === "function" ? part(list) : part);
  const { data, error, hasNextPage, isFetching, isPending, total } = list;
  // An uneven page may be empty even though another one follows.
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
            <Box sx={BUTTONS}>{buttons}</Box>
          </Box>
        )}
        <Paper sx={{ border: 1, borderColor: "divider", position: "relative" }}>
          {slot(props.tabs)}
          {/* Wraps above the fields if there is no room next to them. */}
          <Box
            sx={{
              display: "flex",
              flexWrap: "wrap-reverse",
              alignItems: "end",
              justifyContent: "flex-end",
            }}
          >
            <Box sx={{ flex: "1 1 min(640px, 100%)", minWidth: 0 }}>{props.filters}</Box>
            {!lead && <Box sx={{ ...BUTTONS, px: 2, py: 1.5 }}>{buttons}</Box>}
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

/** On phones, two buttons of the same width on each line. */
const BUTTONS = {
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "flex-end",
  gap: 1,
  width: { xs: "100%", sm: "auto" },
  "& > :not(:only-child)": { flex: { xs: "1 1 40%", sm: "none" } },
} as const;

/** Explains that there are no rows, or none that match, with a button to show all. */
export function NothingHere(props: {
  readonly list: Pick<ListControllerResult, "filterValues" | "setFilters">;
  readonly many: string;
  /** Replaces both "No entries yet" and "No entries match these filters". */
  readonly title?: string;
  /** Name of the filter that a tab sets, which is kept. */
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
 * Like react-admin's list controller, which keeps the previous page's rows until the next ones arrive. Rows of
 * another filter are not kept: their number would be mistaken for that of the new filter.
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
    // Ignore what the fields report again after debouncing: it must not add a history entry.
    if (textOf(filters) !== textOf(list.filterValues)) list.setFilters(filters, ...more);
  };
  if (known.current === filter) return { ...list, setFilters };
  const unknown = { data: undefined, total: undefined, meta: undefined, error: null } as const;
  return { ...list, setFilters, ...unknown, isPending: true };
}

const ExportDialog = lazyExport("ExportDialog", () => import("./ExportDialog.tsx"));

/**
 * Saves all pages of a list as a file. The rows come from the server's export, which is logged first.
 * react-admin's button always fetches rows beforehand, here limited to one.
 */
function ListExport({ list }: { readonly list: ExportableList }) {
  const { filterValues } = useListContext();
  const [ask, setAsk] = useState<ExportAsk>();
  return (
    <>
      <ExportButton
        label="Export"
        // On phones, react-admin's button only has a label while it is enabled.
        aria-label="Export"
        variant="outlined"
        size="medium"
        maxResults={1}
        sx={{
          "&.MuiIconButton-root": {
            p: 0,
            gap: 1,
            width: 40,
            height: 40,
            border: 1,
            borderColor: color.lineStrong,
            color: "primary.main",
            typography: "button",
            "&::after": { content: '"Export"' },
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

/** Its list has a button next to the items, which is invalid inside a list element. */
const withoutLists = (outer: Theme): Theme => ({
  ...outer,
  components: {
    ...outer.components,
    MuiList: { defaultProps: { component: "div" } as object },
    MuiListItem: { defaultProps: { component: "div" } as object },
  },
});

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
            // Clicking the query also removes it; this button has no label.
            "& .MuiListItem-secondaryAction > .MuiListItemSecondaryAction-root": {
              display: "none",
            },
          }}
        >
          <Failure>{failure}</Failure>
          {/* A saved query is a filter, regardless of sort order and page size. */}
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
