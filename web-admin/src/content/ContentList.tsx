import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Paper from "@mui/material/Paper";
import { useTheme } from "@mui/material/styles";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import useMediaQuery from "@mui/material/useMediaQuery";
import { ListContextProvider, Pagination } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { CONTENT_STATUSES } from "#contracts/content/content-rules.ts";
import type { ContentItem } from "#contracts/http/content.ts";
import { paths } from "../config/paths.ts";
import { loadFailureText } from "../data/api-error.ts";
import { useColumns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { FilterBar } from "../shared/FilterBar.tsx";
import { SearchField } from "../shared/SearchField.tsx";
import { SelectField } from "../shared/SelectField.tsx";
import { useFilteredList } from "../shared/use-filtered-list.ts";
import { ContentCards } from "./ContentCards.tsx";
import { CONTENT_COLUMNS, ContentTable } from "./ContentTable.tsx";

interface ContentFilter {
  readonly type?: string;
  readonly status?: string;
  readonly q?: string;
}

const ALL = "all";
const TABS = [
  [ALL, "All texts"],
  ["legal", "Legal"],
  ["blog", "Blog"],
  ["page", "Pages"],
  ["faq", "FAQ"],
] as const;
/** What each tab adds; legal texts are always there. */
const ADDED: Readonly<Record<string, string>> = {
  [ALL]: "Add a text",
  blog: "Add a post",
  page: "Add a page",
  faq: "Add a FAQ item",
};
const NEWEST = { field: "last_modified", order: "DESC" } as const;
const BY_PLACE = { field: "order", order: "ASC" } as const;

/** The registry's texts by type and status; FAQ items in their order. Filters are in the address. */
export function ContentList() {
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const list = useFilteredList<ContentItem>({
    resource: "content",
    perPage: 25,
    sort: NEWEST,
  });
  const columns = useColumns("content", CONTENT_COLUMNS);
  const { data, error, isFetching, isPending } = list;
  const filter = list.filterValues as ContentFilter;
  const narrow = (change: ContentFilter) =>
    list.setFilters(
      Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value)),
    );
  const tab = TABS.find(([type]) => type === filter.type)?.[0] ?? ALL;
  const added = ADDED[tab];
  const isNarrowed = Boolean(filter.q || filter.status);
  const isEmpty = !isPending && !error && data?.length === 0;
  return (
    <ListContextProvider value={list}>
      <Paper sx={{ border: 1, borderColor: "divider" }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", pr: 2 }}>
          <Tabs
            value={tab}
            variant="scrollable"
            aria-label="Type"
            sx={{ flex: 1, minWidth: 0 }}
            onChange={(_, type: string) => {
              narrow({ type: type === ALL ? "" : type });
              list.setSort(type === "faq" ? BY_PLACE : NEWEST);
            }}
          >
            {TABS.map(([type, label]) => (
              <Tab key={type} value={type} label={label} />
            ))}
          </Tabs>
          {added && (
            <Button
              variant="contained"
              component={RouterLink}
              to={paths.newText(tab === ALL ? "blog" : tab)}
              sx={{ ml: { xs: 2, sm: 0 } }}
            >
              {added}
            </Button>
          )}
        </Box>
        <FilterBar
          active={filter.status ? 1 : 0}
          columns={columns}
          onClear={isNarrowed ? () => narrow({ q: "", status: "" }) : undefined}
          search={
            <SearchField
              placeholder="Title or address"
              value={filter.q ?? ""}
              onSearch={(q) => narrow({ q })}
            />
          }
        >
          <SelectField
            label="Status"
            value={filter.status}
            options={Object.entries(CONTENT_STATUSES)}
            onChange={(status) => narrow({ status: status ?? "" })}
          />
        </FilterBar>
        <Box sx={{ height: 4 }}>
          {isFetching && (
            <Delayed>
              <LinearProgress aria-label="Loading texts" />
            </Delayed>
          )}
        </Box>
        {error && (
          <Alert
            severity="error"
            sx={{ m: 2 }}
            action={
              <Button color="inherit" onClick={() => void list.refetch()}>
                Try again
              </Button>
            }
          >
            {loadFailureText("texts", error)}
          </Alert>
        )}
        {isEmpty && (
          <EmptyNote
            title={isNarrowed ? "No texts match these filters" : "No texts of this type yet"}
          />
        )}
        {!isEmpty &&
          !(error && !data) &&
          (isWide ? (
            <ContentTable
              items={data}
              isFaq={tab === "faq"}
              columns={columns}
              sort={list.sort}
              onSort={(field) =>
                list.setSort({
                  field,
                  order: list.sort.field === field && list.sort.order === "ASC" ? "DESC" : "ASC",
                })
              }
            />
          ) : (
            <ContentCards items={data} columns={columns} />
          ))}
        {!(error && !data) && <Pagination rowsPerPageOptions={[10, 25, 50, 100]} />}
      </Paper>
    </ListContextProvider>
  );
}
