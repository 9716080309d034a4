import Box from "@mui/material/Box";
import { durationText } from "../formats.ts";

/** An inquiry's or notice's status relative to its deadline. */
export interface TimeLeft {
  readonly text: string;
  readonly isLate: boolean;
}

/** Returns e.g. "5 hours left" or "2 days late". @param daysFrom hours from which on time is given in days. */
export function timeLeft(due: number, now: number, daysFrom: number): TimeLeft {
  const words = durationText(Math.abs(due - now), daysFrom);
  return due >= now
    ? { text: `${words} left`, isLate: false }
    : { text: `${words} late`, isLate: true };
}

/** Shows the time left, in red if late. */
export function Deadline({ of }: { readonly of: TimeLeft }) {
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
