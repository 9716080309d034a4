import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { counted, formatDay, formatInstant } from "../shared/formats.ts";
import { UserActions } from "./UserActions.tsx";
import { UserStatusChip } from "./UserStatus.tsx";
import type { UserRowsProps } from "./UserTable.tsx";
import { roleWord, userName } from "./user-words.ts";

/** The users as a list of cards, for narrow screens. */
export function UserCards({ users, onOpen, columns }: UserRowsProps) {
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {users
        ? users.map((user) => (
            <Box
              key={user.id}
              component="li"
              sx={{ px: 2, py: 1.5, borderTop: `1px solid ${color.line}` }}
            >
              <Box sx={{ display: "flex", gap: 1, justifyContent: "space-between" }}>
                <Link
                  component={RouterLink}
                  to={paths.user(user.id)}
                  underline="hover"
                  sx={{ fontWeight: 600, overflowWrap: "anywhere", minWidth: 0 }}
                >
                  {userName(user)}
                </Link>
                {columns.shows("Status") && <UserStatusChip user={user} />}
              </Box>
              <Typography sx={{ overflowWrap: "anywhere" }}>
                {[
                  columns.shows("Email") && user.email,
                  columns.shows("Role") && roleWord(user.role),
                ]
                  .filter(Boolean)
                  .join(", ")}
              </Typography>
              <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
                {[
                  columns.shows("Reports") && counted(user.reports_count, "report", "reports"),
                  columns.shows("Created") && `created ${formatDay(user.created_at)}`,
                ]
                  .filter(Boolean)
                  .join(", ")}
              </Typography>
              {columns.shows("Last Login") && (
                <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
                  {user.last_login
                    ? `Last login ${formatInstant(user.last_login)}`
                    : "Never signed in"}
                </Typography>
              )}
              {columns.shows("Actions") && <UserActions user={user} onOpen={onOpen} />}
            </Box>
          ))
        : ["first", "second", "third"].map((key) => (
            <Box key={key} component="li" sx={{ p: 2, borderTop: `1px solid ${color.line}` }}>
              <Delayed>
                <Skeleton variant="text" width="60%" />
                <Skeleton variant="text" />
              </Delayed>
            </Box>
          ))}
    </Box>
  );
}
