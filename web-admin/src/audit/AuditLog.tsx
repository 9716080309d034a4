import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Paper from "@mui/material/Paper";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useState } from "react";
import { ListContextProvider, Pagination } from "react-admin";
import type { AuditEntry } from "#contracts/http/audit.ts";
import { fetchFailureText } from "../data/api-error.ts";
import { ACTIONS } from "../shared/action-words.ts";
import { useColumns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { ExportButton } from "../shared/export/ExportButton.tsx";
import { FilterBar } from "../shared/FilterBar.tsx";
import { ListError } from "../shared/ListError.tsx";
import { SearchField } from "../shared/SearchField.tsx";
import { SelectField } from "../shared/SelectField.tsx";
import { SavedFilters } from "../shared/saved-filters/SavedFilters.tsx";
import { useFilteredList } from "../shared/use-filtered-list.ts";
import { AuditCards } from "./AuditCards.tsx";
import { AUDIT_COLUMNS, AuditTable } from "./AuditTable.tsx";
import { AUDIT_STATUSES } from "./audit-words.ts";
import { EntryDialog } from "./EntryDialog.tsx";
import { LogCheck } from "./LogCheck.tsx";

interface AuditFilter {
  readonly search?: string;
  readonly status?: string;
  readonly action?: string;
}

const ACTION_OPTIONS = Object.entries(ACTIONS).sort((a, b) => a[1].localeCompare(b[1]));

/** All entries of the audit log, newest first unless they are sorted otherwise. */
export function AuditLog() {
  const [opened, setOpened] = useState<AuditEntry>();
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const list = useFilteredList<AuditEntry>({
    resource: "audit-logs",
    perPage: 25,
    sort: { field: "timestamp", order: "DESC" },
  });
  const columns = useColumns("audit-logs", AUDIT_COLUMNS);
  const { data, error, isFetching, isPending } = list;
  const filter = list.filterValues as AuditFilter;
  const narrow = (change: AuditFilter) =>
    list.setFilters(
      Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value)),
    );
  const isNarrowed = Boolean(filter.search || filter.status || filter.action);
  const isEmpty = !isPending && !error && data?.length === 0;
  return (
    <ListContextProvider value={list}>
      <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "flex-end", gap: 2, mb: 2 }}>
        <LogCheck />
        <SavedFilters list="audit" filter={filter} onApply={(next) => list.setFilters(next)} />
        <ExportButton list="audit" filter={filter} />
      </Box>
      <Paper sx={{ border: 1, borderColor: "divider" }}>
        <FilterBar
          active={[filter.status, filter.action].filter((value) => value).length}
          onClear={isNarrowed ? () => list.setFilters({}) : undefined}
          columns={columns}
          search={
            <SearchField
              placeholder="User, action, resource or id"
              value={filter.search ?? ""}
              onSearch={(search) => narrow({ search })}
            />
          }
        >
          <SelectField
            label="Status"
            value={filter.status}
            options={Object.entries(AUDIT_STATUSES)}
            onChange={(status) => narrow({ status: status ?? "" })}
          />
          <SelectField
            label="Action"
            value={filter.action}
            options={ACTION_OPTIONS}
            onChange={(action) => narrow({ action: action ?? "" })}
            width={240}
          />
        </FilterBar>
        <Box sx={{ height: 4 }}>
          {isFetching && (
            <Delayed>
              <LinearProgress aria-label="Loading audit logs" />
            </Delayed>
          )}
        </Box>
        {error && (
          <ListError
            page={list.page}
            onFirstPage={() => list.setPage(1)}
            onRetry={() => void list.refetch()}
          >
            {fetchFailureText("audit logs", error)}
          </ListError>
        )}
        {isEmpty && (
          <EmptyNote title={isNarrowed ? "No entries match these filters" : "No entries yet"}>
            {isNarrowed && (
              <Button variant="outlined" onClick={() => list.setFilters({})}>
                Show all entries
              </Button>
            )}
          </EmptyNote>
        )}
        {!isEmpty &&
          !(error && !data) &&
          (isWide ? (
            <AuditTable
              entries={data}
              columns={columns}
              sort={list.sort}
              onSort={(field) =>
                list.setSort({
                  field,
                  order: list.sort.field === field && list.sort.order === "DESC" ? "ASC" : "DESC",
                })
              }
              onOpen={setOpened}
            />
          ) : (
            <AuditCards entries={data} columns={columns} onOpen={setOpened} />
          ))}
        {!(error && !data) && <Pagination rowsPerPageOptions={[10, 25, 50, 100]} />}
      </Paper>
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </ListContextProvider>
  );
}
