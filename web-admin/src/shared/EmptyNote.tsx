import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

export interface EmptyNoteProps {
  readonly title: string;
  /** What to do next. */
  readonly children?: ReactNode;
}

/** Shown when a list is empty. */
export function EmptyNote({ title, children }: EmptyNoteProps) {
  return (
    <Box
      sx={{ px: 2, py: 6, textAlign: "center", display: "grid", gap: 1, justifyItems: "center" }}
    >
      <Typography variant="h2" component="p">
        {title}
      </Typography>
      {children}
    </Box>
  );
}
