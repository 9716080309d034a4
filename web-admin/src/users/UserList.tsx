import AddIcon from "@mui/icons-material/PersonAddAlt";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Form, Link, useListContext } from "react-admin";
import { USER_PAGE_SIZES, USER_ROLES, USER_STATUSES } from "#contracts/account/account-messages.ts";
import type { ListedUser } from "#contracts/http/users.ts";
import { paths } from "../config/paths.ts";
import { fetchFailureText } from "../data/api-error.ts";
import { type Column, countColumn, dayColumn, wordColumn } from "../shared/list/columns.tsx";
import {
  FilterButtons,
  FilterFields,
  SearchFilter,
  SelectFilter,
} from "../shared/list/filters.tsx";
import { NothingHere, RecordList } from "../shared/list/RecordList.tsx";
import {
  type OpenDialog,
  UserActions,
  UserDialog,
  UserStatusChip,
  useUserDialogs,
} from "./actions.tsx";
import { userName } from "./labels.ts";

const columnsFor = (onOpen: OpenDialog): readonly Column<ListedUser>[] => [
  {
    source: "name",
    label: "Name",
    width: "20%",
    render: (user) => (
      <Link to={paths.user(user.id)} underline="hover">
        {userName(user)}
      </Link>
    ),
  },
  { source: "email", label: "Email", render: ({ email }) => email },
  wordColumn("role", "Role", USER_ROLES, { width: 76 }),
  {
    source: "status",
    label: "Status",
    width: 116,
    phone: "end",
    render: (user) => <UserStatusChip user={user} />,
  },
  countColumn("reports_count", "Reports", { width: 76, phone: "hidden" }),
  dayColumn("created_at", "Created", { width: 112, phone: "hidden" }),
  dayColumn("last_login", "Last Login", { width: 112, phone: "hidden" }),
  {
    source: "actions",
    label: "Actions",
    width: 164,
    phone: "none",
    render: (user) => <UserActions user={user} onOpen={onOpen} />,
  },
];

/** All users, by filter and page, both in the URL. */
export function UserList() {
  const [adding, setAdding] = useState(false);
  const dialogs = useUserDialogs();
  return (
    <>
      <RecordList<ListedUser>
        resource="users"
        of={["user", "users"]}
        columns={columnsFor(dialogs.open)}
        perPage={10}
        pageSizes={USER_PAGE_SIZES}
        sort={{ field: "created_at", order: "DESC" }}
        to={({ id }) => paths.user(id)}
        saved
        exports="users"
        failure={(error) => fetchFailureText("users", error)}
        empty={(list) => <NothingHere list={list} many="users" title="No users found" />}
        filters={<UserFilters />}
        actions={
          <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAdding(true)}>
            Add User
          </Button>
        }
      />
      {dialogs.dialog}
      {adding && <UserDialog action="invite" onClose={() => setAdding(false)} />}
    </>
  );
}

const NO_FILTER = { search: "", status: "", role: "" };

/** Search field and menus, which take effect once they are applied. */
function UserFilters() {
  const { filterValues, setFilters } = useListContext();
  return (
    <Box role="search">
      <Form
        record={{ ...NO_FILTER, ...filterValues }}
        noValidate
        onSubmit={({ search, status, role }: Partial<typeof NO_FILTER>) =>
          setFilters({ search: search?.trim(), status, role })
        }
      >
        <FilterFields>
          <SearchFilter label="Search" source="search" placeholder="Name or full email address" />
          <SelectFilter source="status" label="Status" options={USER_STATUSES} />
          <SelectFilter source="role" label="Role" options={USER_ROLES} />
          <FilterButtons>
            <Button type="submit" variant="outlined">
              Apply Filters
            </Button>
            {Object.keys(filterValues).length > 0 && (
              <Button onClick={() => setFilters({})}>Clear filters</Button>
            )}
          </FilterButtons>
        </FilterFields>
      </Form>
    </Box>
  );
}
