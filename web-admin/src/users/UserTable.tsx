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
import { Delayed } from "../shared/Delayed.tsx";
import { formatCount, formatDay, formatInstant } from "../shared/formats.ts";
import { UserActions, type UserActionsProps } from "./UserActions.tsx";
import { UserStatusChip } from "./UserStatus.tsx";
import type { OpenDialog } from "./use-user-dialogs.tsx";
import { roleWord, userName } from "./user-words.ts";

export interface UserRowsProps {
  /** Undefined while the first page loads. */
  readonly users: readonly ListedUser[] | undefined;
  readonly onOpen: OpenDialog;
}

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
export function UserTable({ users, onOpen }: UserRowsProps) {
  return (
    <Table sx={{ tableLayout: "fixed" }}>
      <TableHead>
        <TableRow>
          {COLUMNS.map(([label, width]) => (
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
          ? users.map((user) => <UserRow key={user.id} user={user} onOpen={onOpen} />)
          : Array.from({ length: 8 }, (_, row) => row).map((row) => (
              <TableRow key={row}>
                <TableCell colSpan={COLUMNS.length}>
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
}: Pick<UserActionsProps, "onOpen"> & { readonly user: ListedUser }) {
  return (
    <TableRow hover sx={{ "& td": { fontVariantNumeric: "tabular-nums" } }}>
      <TableCell sx={{ ...cut, pl: 2 }}>
        <Link component={RouterLink} to={paths.user(user.id)} underline="hover">
          {userName(user)}
        </Link>
      </TableCell>
      <TableCell sx={cut}>{user.email}</TableCell>
      <TableCell>{roleWord(user.role)}</TableCell>
      <TableCell>
        <UserStatusChip user={user} />
      </TableCell>
      <TableCell align="right">{formatCount(user.reports_count)}</TableCell>
      <TableCell sx={cut}>
        <time dateTime={user.created_at}>{formatDay(user.created_at)}</time>
      </TableCell>
      <TableCell sx={cut}>
        {user.last_login ? (
          <time dateTime={user.last_login} title={formatInstant(user.last_login)}>
            {formatDay(user.last_login)}
          </time>
        ) : (
          "Never"
        )}
      </TableCell>
      <TableCell sx={{ py: 0 }}>
        <UserActions user={user} onOpen={onOpen} />
      </TableCell>
    </TableRow>
  );
}
