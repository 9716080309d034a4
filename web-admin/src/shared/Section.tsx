import Box from "@mui/material/Box";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { type ReactNode, useId } from "react";

export interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** Fragment that links on the page use. */
  readonly anchor?: string;
  /** Whether it stands beside or below others that are read at one glance. */
  readonly isDense?: boolean;
}

/** A part of the page with a heading. */
export function Section({ title, children, action, anchor, isDense = false }: SectionProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      id={anchor}
      aria-labelledby={id}
      sx={{
        p: isDense ? 1.5 : { xs: 2, md: 3 },
        border: 1,
        borderColor: "divider",
        scrollMarginTop: 72,
        ...(isDense ? { display: "grid", gap: 1 } : {}),
      }}
    >
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 2,
          mb: isDense ? 0 : 1,
          flexWrap: "wrap",
        }}
      >
        <Typography id={id} component="h2" variant={isDense ? "h3" : "h2"} sx={{ flex: 1 }}>
          {title}
        </Typography>
        {action}
      </Box>
      {children}
    </Paper>
  );
}
