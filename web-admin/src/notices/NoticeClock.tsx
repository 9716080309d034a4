import Typography from "@mui/material/Typography";
import type { ListedNotice } from "#contracts/http/admin-notices.ts";
import { clockWords } from "./labels.ts";

/** How a notice stands against its time. */
export function NoticeClock({ notice }: { readonly notice: ListedNotice }) {
  const { text, isLate } = clockWords(notice, Date.now());
  return (
    <Typography
      color={isLate ? "error" : "textSecondary"}
      sx={{
        fontWeight: isLate ? 600 : undefined,
        "&::first-letter": { textTransform: "uppercase" },
      }}
    >
      {text}
    </Typography>
  );
}
