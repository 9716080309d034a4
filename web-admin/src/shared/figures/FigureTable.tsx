import Box from "@mui/material/Box";
import type { SxProps, Theme } from "@mui/material/styles";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import type { ReactNode } from "react";

export interface FigureTableProps {
  readonly label: string;
  /** Names of the columns. All but the first are figures, right-aligned. */
  readonly columns: readonly string[];
  /** Cells by row; the first is the row's name. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/**
 * A small table of figures. On a narrow screen each row becomes a block with the columns' names in it.
 * The roles are written out because a table that is not laid out as one loses them.
 */
export function FigureTable({ label, columns, rows }: FigureTableProps) {
  return (
    // What scrolls must be reachable by keyboard.
    <Box
      tabIndex={0}
      role="group"
      aria-label={`${label}, table`}
      sx={{ maxHeight: { sm: 480 }, overflow: "auto", position: "relative" }}
    >
      <Table role="table" aria-label={label} sx={STACKED}>
        <TableHead role="rowgroup">
          <TableRow role="row">
            {columns.map((column, i) => (
              <TableCell key={column} role="columnheader" align={sideOf(i)} sx={{ top: 0 }}>
                {column}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody role="rowgroup">
          {rows.map(({ key, cells }) => (
            <TableRow key={key} role="row">
              {cells.map((cell, i) => (
                <TableCell
                  key={columns[i]}
                  component={i === 0 ? "th" : "td"}
                  role={i === 0 ? "rowheader" : "cell"}
                  data-column={columns[i]}
                  align={sideOf(i)}
                  sx={{ py: 1, fontWeight: 400, fontVariantNumeric: "tabular-nums" }}
                >
                  {cell}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

const sideOf = (column: number) => (column === 0 ? "left" : "right");

/** Below this width rows are blocks, as the theme's `sm` says. */
const STACKED: SxProps<Theme> = (theme) => ({
  [theme.breakpoints.down("sm")]: {
    "&, & tbody, & tr": { display: "block" },
    "& thead": {
      position: "absolute",
      clipPath: "inset(50%)",
      width: "1px",
      height: "1px",
      overflow: "hidden",
    },
    "& tr": { py: 1, borderBottom: 1, borderColor: "divider" },
    "& td, & th": {
      display: "flex",
      flexDirection: "row",
      justifyContent: "space-between",
      alignItems: "baseline",
      gap: 2,
      height: "auto",
      minHeight: 24,
      px: 0,
      py: 0.25,
      border: 0,
    },
    "& th": { fontWeight: 600 },
    "& td::before": { content: "attr(data-column)", color: "text.secondary" },
  },
});
