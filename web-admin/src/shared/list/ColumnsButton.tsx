import CheckBoxIcon from "@mui/icons-material/CheckBox";
import EmptyBoxIcon from "@mui/icons-material/CheckBoxOutlineBlank";
import ViewWeekIcon from "@mui/icons-material/ViewWeek";
import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import ListItemIcon from "@mui/material/ListItemIcon";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { formatCount } from "../formats.ts";
import type { ShownColumns } from "./columns.ts";

/**
 * A menu with a box for each column. It stays open, so that several are chosen at once. That of react-admin nests
 * switches in options outside of a list box, which screen readers do not read.
 */
export function ColumnsButton({ columns }: { readonly columns: ShownColumns }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { names } = columns;
  const hidden = names.filter(({ source }) => !columns.shows(source)).length;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<ViewWeekIcon />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {hidden > 0 ? `Columns, ${formatCount(hidden)} hidden` : "Columns"}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { "aria-label": "Columns", dense: true } }}
      >
        {names.map(({ source, label }) => (
          <MenuItem
            key={source}
            role="menuitemcheckbox"
            aria-checked={columns.shows(source)}
            onClick={() => columns.toggle(source)}
          >
            <ListItemIcon>
              {columns.shows(source) ? <CheckBoxIcon /> : <EmptyBoxIcon />}
            </ListItemIcon>
            {label}
          </MenuItem>
        ))}
        <Divider />
        <MenuItem disabled={hidden === 0} onClick={columns.showAll}>
          Show all columns
        </MenuItem>
      </Menu>
    </>
  );
}
