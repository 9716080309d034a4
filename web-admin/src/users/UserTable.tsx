import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import { Link as RouterLink } from "react-router-dom";
import type { ListedUser } from "#contracts/http/users.ts";
import { paths } from "../config/paths.ts";
import type { Columns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { formatCount } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { UserActions, type UserActionsProps } from "./UserActions.tsx";
import { UserStatusChip } from "./UserStatus.tsx";
import type { OpenDialog } from "./use-user-dialogs.tsx";
import { roleWord, userName } from "./user-words.ts";

export interface UserRowsProps {
  /** Undefined while the first page loads. */
  readonly users: readonly ListedUser[] | undefined;
  readonly onOpen: OpenDialog;
  readonly columns: UserColumns;
}

/** What can be chosen in the list of users. */
export const USER_COLUMNS = [
  "Email",
  "Role",
  "Status",
  "Reports",
  "Created",
  "Last Login",
  "Actions",
] as const;
export type UserColumns = Columns<(typeof USER_COLUMNS)[number]>;

const COLUMNS = [
  ["Name", undefined],
  ["Email", 170],
  ["Role", 76],
  ["Status", 116],
  ["Reports", 72],
  ["Created", 108],
  ["Last Login", 108],
  ["Actions", 164],
] as const;
const cut = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

/** The users as a table with one line for each. */
export function UserTable({ users, onOpen, columns }: UserRowsProps) {
  const shown = COLUMNS.filter(([label]) => label === "Name" || columns.shows(label));
  return (
    <Table aria-label="Users" sx={{ tableLayout: "fixed" }}>
      <TableHead>
        <TableRow>
          {shown.map(([label, width]) => (
            <TableCell
              key={label}
              align={label === "Reports" ? "right" : "left"}
              sx={{ width, "&:first-of-type": { pl: 2 } }}
            >
              {label}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {users
          ? users.map((user) => (
              <UserRow key={user.id} user={user} onOpen={onOpen} columns={columns} />
            ))
          : Array.from({ length: 8 }, (_, row) => row).map((row) => (
              <TableRow key={row}>
                <TableCell colSpan={shown.length}>
                  <Delayed>
                    <Skeleton variant="text" />
                  </Delayed>
                </TableCell>
              </TableRow>
            ))}
      </TableBody>
    </Table>
  );
}

function UserRow({
  user,
  onOpen,
  columns,
}: Pick<UserActionsProps, "onOpen"> & {
  readonly user: ListedUser;
  readonly columns: UserColumns;
}) {
  return (
    <TableRow hover sx={{ "& td": { fontVariantNumeric: "tabular-nums" } }}>
      <TableCell sx={{ ...cut, pl: 2 }}>
        <Link component={RouterLink} to={paths.user(user.id)} underline="hover">
          {userName(user)}
        </Link>
      </TableCell>
      {columns.shows("Email") && <TableCell sx={cut}>{user.email}</TableCell>}
      {columns.shows("Role") && <TableCell>{roleWord(user.role)}</TableCell>}
      {columns.shows("Status") && (
        <TableCell>
          <UserStatusChip user={user} />
        </TableCell>
      )}
      {columns.shows("Reports") && (
        <TableCell align="right">{formatCount(user.reports_count)}</TableCell>
      )}
      {columns.shows("Created") && (
        <TableCell sx={cut}>
          <Instant at={user.created_at} as="day" />
        </TableCell>
      )}
      {columns.shows("Last Login") && (
        <TableCell sx={cut}>
          {user.last_login ? <Instant at={user.last_login} as="day" /> : "Never"}
        </TableCell>
      )}
      {columns.shows("Actions") && (
        <TableCell sx={{ py: 0 }}>
          <UserActions user={user} onOpen={onOpen} />
        </TableCell>
      )}
    </TableRow>
  );
}
