import Typography from "@mui/material/Typography";
import type { ListedInquiry } from "#contracts/http/admin-inquiries.ts";
import { againstPromise } from "./labels.ts";

/** How an inquiry stands against the time within which an answer was promised. */
export function InTime({ inquiry }: { readonly inquiry: ListedInquiry }) {
  const { text, isLate } = againstPromise(inquiry, Date.now());
  return (
    <Typography
      color={isLate ? "error" : "textSecondary"}
      sx={{ fontWeight: isLate ? 600 : undefined }}
    >
      {text}
    </Typography>
  );
}
