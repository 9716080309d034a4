import Badge from "@mui/material/Badge";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ReactNode, useState } from "react";

export interface FilterBarProps {
  /** The field that is always there. */
  readonly search: ReactNode;
  /** The menus, which a narrow screen folds away. */
  readonly children: ReactNode;
  /** How many menus narrow the list just now. */
  readonly active: number;
  /** Given when anything narrows the list. */
  readonly onClear: (() => void) | undefined;
}

/** What narrows a list, above it. */
export function FilterBar({ search, children, active, onClear }: FilterBarProps) {
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
      {onClear && <Button onClick={onClear}>Clear filters</Button>}
    </Box>
  );
}
