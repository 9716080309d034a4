import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { PageHeading } from "./PageHeading.tsx";

interface SorryProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** A page that says what went wrong and what to do next. */
export function Sorry({ title, children, actions }: SorryProps) {
  return (
    <Box sx={{ maxWidth: 560, py: { xs: 3, md: 6 }, display: "grid", gap: 2 }}>
      <PageHeading title={title}>{title}</PageHeading>
      <Box>{children}</Box>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>{actions}</Box>
    </Box>
  );
}
