import Badge from "@mui/material/Badge";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ReactNode, useState } from "react";
import { ColumnsButton } from "./columns/ColumnsButton.tsx";
import type { Columns } from "./columns/use-columns.ts";

export interface FilterBarProps {
  /** The search field, which is always shown. */
  readonly search: ReactNode;
  /** The menus, which collapse on a narrow screen. */
  readonly children: ReactNode;
  /** Number of menus that filter the list now. */
  readonly active: number;
  /** Undefined when no filter is set. */
  readonly onClear: (() => void) | undefined;
  /** What the list's rows may show, where that can be chosen. */
  readonly columns?: Columns;
}

/** The filters above a list. */
export function FilterBar({ search, children, active, onClear, columns }: FilterBarProps) {
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const [open, setOpen] = useState(false);
  return (
    <Box
      role="search"
      sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5, p: 2 }}
    >
      {search}
      {!isWide && (
        <Badge badgeContent={active} color="primary">
          <Button variant="outlined" aria-expanded={open} onClick={() => setOpen(!open)}>
            Filters
          </Button>
        </Badge>
      )}
      {(isWide || open) && children}
      {(onClear || columns) && (
        <Box sx={{ display: "flex", gap: 1.5 }}>
          {onClear && <Button onClick={onClear}>Clear filters</Button>}
          {columns && <ColumnsButton columns={columns} />}
        </Box>
      )}
    </Box>
  );
}
