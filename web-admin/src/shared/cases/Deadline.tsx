import Box from "@mui/material/Box";
import { spanWords } from "../formats.ts";

/** Where an inquiry or a notice stands relative to its due time. */
export interface Standing {
  readonly text: string;
  readonly isLate: boolean;
}

/** "5 hours left", "2 days late". @param daysFrom hours from which on days are counted. */
export function timeLeft(due: number, now: number, daysFrom: number): Standing {
  const words = spanWords(Math.abs(due - now), daysFrom);
  return due >= now
    ? { text: `${words} left`, isLate: false }
    : { text: `${words} late`, isLate: true };
}

/** Shows it, in color if late. */
export function Deadline({ of }: { readonly of: Standing }) {
  return (
    <Box
      sx={{
        color: of.isLate ? "error.main" : "text.secondary",
        fontWeight: of.isLate ? 600 : undefined,
        display: "inline-block",
        "&::first-letter": { textTransform: "uppercase" },
      }}
    >
      {of.text}
    </Box>
  );
}
