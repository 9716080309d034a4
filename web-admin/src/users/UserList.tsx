import AddIcon from "@mui/icons-material/PersonAddAlt";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Paper from "@mui/material/Paper";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useState } from "react";
import { ListContextProvider, Pagination } from "react-admin";
import { USER_PAGE_SIZES } from "#contracts/account/account-words.ts";
import type { ListedUser } from "#contracts/http/users.ts";
import { fetchFailureText } from "../data/api-error.ts";
import { ColumnsButton } from "../shared/columns/ColumnsButton.tsx";
import { useColumns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { counted } from "../shared/formats.ts";
import { ListError } from "../shared/ListError.tsx";
import { ListExport } from "../shared/list/ListExport.tsx";
import { SavedFilters } from "../shared/saved-filters/SavedFilters.tsx";
import { useFilteredList } from "../shared/use-filtered-list.ts";
import { UserCards } from "./UserCards.tsx";
import { type UserFilter, UserFilters } from "./UserFilters.tsx";
import { AddUserDialog } from "./UserForms.tsx";
import { USER_COLUMNS, UserTable } from "./UserTable.tsx";
import { useUserDialogs } from "./use-user-dialogs.tsx";

const PAGE_SIZE = 10;

/** All users, by filter and page, both in the address. */
export function UserList() {
  const isWide = useMediaQuery(useTheme().breakpoints.up("lg"));
  const [adding, setAdding] = useState(false);
  const dialogs = useUserDialogs();
  const columns = useColumns("users", USER_COLUMNS);
  const list = useFilteredList<ListedUser>({
    resource: "users",
    perPage: PAGE_SIZE,
    sort: { field: "created_at", order: "DESC" },
  });
  const { data, error, isFetching, isPending } = list;
  const filter = list.filterValues as UserFilter;
  const isEmpty = !isPending && !error && data?.length === 0;
  return (
    <ListContextProvider value={list}>
      <Box sx={{ display: "flex", justifyContent: "flex-end", gap: 1, mb: 2, flexWrap: "wrap" }}>
        <ColumnsButton columns={columns} />
        <SavedFilters list="users" filter={filter} onApply={(next) => list.setFilters(next)} />
        <ListExport list="users" />
        <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAdding(true)}>
          Add User
        </Button>
      </Box>
      <Paper sx={{ border: 1, borderColor: "divider" }}>
        <UserFilters filter={filter} onApply={(next) => list.setFilters(next)} />
        <Box sx={{ height: 4 }}>
          {isFetching && (
            <Delayed>
              <LinearProgress aria-label="Loading users" />
            </Delayed>
          )}
        </Box>
        {error && (
          <ListError
            page={list.page}
            onFirstPage={() => list.setPage(1)}
            onRetry={() => void list.refetch()}
          >
            {fetchFailureText("users", error)}
          </ListError>
        )}
        {isEmpty && (
          <EmptyNote title="No users found">
            {Object.keys(filter).length > 0 && (
              <Button variant="outlined" onClick={() => list.setFilters({})}>
                Show all users
              </Button>
            )}
          </EmptyNote>
        )}
        {!isEmpty &&
          !(error && !data) &&
          (isWide ? (
            <UserTable users={data} onOpen={dialogs.open} columns={columns} />
          ) : (
            <UserCards users={data} onOpen={dialogs.open} columns={columns} />
          ))}
        {!(error && !data) && <Pagination rowsPerPageOptions={[...USER_PAGE_SIZES]} />}
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
        {!isFetching && list.total !== undefined && counted(list.total, "user", "users")}
      </Box>
      {dialogs.dialog}
      {adding && <AddUserDialog onClose={() => setAdding(false)} />}
    </ListContextProvider>
  );
}
