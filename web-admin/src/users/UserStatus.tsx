import Chip from "@mui/material/Chip";
import type { ListedUser } from "#contracts/http/users.ts";
import { color } from "#theme/color.ts";
import { standingText, statusWord } from "./labels.ts";

/** How an account stands. Only what keeps somebody out stands out. */
export function UserStatusChip({ user }: { readonly user: ListedUser }) {
  const { status } = user;
  const look =
    status === "banned"
      ? { bgcolor: color.warningTint, borderColor: color.warningLine, color: color.warning }
      : { bgcolor: color.paper, borderColor: color.lineStrong, color: color.ink };
  return (
    <Chip
      variant="outlined"
      label={statusWord(status)}
      title={standingText(user)}
      sx={{ ...look, fontWeight: 600 }}
    />
  );
}
