import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import type { ExportAsk, ExportFormat } from "#contracts/http/list-exports.ts";
import { askedFilter } from "../asked-filter.ts";
import { ExportDialog } from "./ExportDialog.tsx";

export interface ExportButtonProps {
  readonly list: ExportAsk["list"];
  /** The filters of the list as it is shown; those without a value filter nothing. */
  readonly filter: object;
}

/** Saves what a list shows, all pages of it, as a file. */
export function ExportButton({ list, filter }: ExportButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [running, setRunning] = useState<{ ask: ExportAsk; format: ExportFormat }>();
  const start = (format: ExportFormat) => {
    setAnchor(null);
    setRunning({ ask: { list, filter: askedFilter(filter) }, format });
  };
  return (
    <>
      <Button
        variant="outlined"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Export
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => start("csv")}>As CSV, for spreadsheets</MenuItem>
        <MenuItem onClick={() => start("json")}>As JSON, for programs</MenuItem>
      </Menu>
      {running && <ExportDialog {...running} onClose={() => setRunning(undefined)} />}
    </>
  );
}
