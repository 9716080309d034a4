import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import { Link as RouterLink } from "react-router-dom";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { CardFacts } from "../shared/CardFacts.tsx";
import { Delayed } from "../shared/Delayed.tsx";
import { formatCount } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { UserActions } from "./UserActions.tsx";
import { UserStatusChip } from "./UserStatus.tsx";
import type { UserRowsProps } from "./UserTable.tsx";
import { roleWord, userName } from "./user-words.ts";

/** The users as a list of cards, for narrow screens. */
export function UserCards({ users, onOpen, columns }: UserRowsProps) {
  return (
    <Box component="ul" aria-label="Users" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {users
        ? users.map((user) => (
            <Box
              key={user.id}
              component="li"
              sx={{ px: 2, py: 1.5, borderTop: `1px solid ${color.line}` }}
            >
              <Link
                component={RouterLink}
                to={paths.user(user.id)}
                underline="hover"
                sx={{ fontWeight: 600, overflowWrap: "anywhere" }}
              >
                {userName(user)}
              </Link>
              <CardFacts
                shows={columns.shows}
                facts={[
                  ["Email", user.email],
                  ["Role", roleWord(user.role)],
                  ["Status", <UserStatusChip key="status" user={user} />],
                  ["Reports", formatCount(user.reports_count)],
                  ["Created", <Instant key="created" at={user.created_at} as="day" />],
                  [
                    "Last Login",
                    user.last_login ? <Instant key="login" at={user.last_login} /> : "Never",
                  ],
                ]}
              />
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
