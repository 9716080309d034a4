import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Paper from "@mui/material/Paper";
import type { ReactNode } from "react";
import { loadFailureText } from "../data/api-error.ts";
import { ColumnsButton } from "./columns/ColumnsButton.tsx";
import type { Columns } from "./columns/use-columns.ts";
import { Delayed } from "./Delayed.tsx";
import { EmptyNote } from "./EmptyNote.tsx";
import type { Pages } from "./use-pages.ts";

export interface PagedListProps {
  readonly list: Pages<unknown>;
  /** What it lists: "documents". */
  readonly what: string;
  readonly filters: ReactNode;
  /** What its rows may show, where that can be chosen. */
  readonly columns?: Columns;
  /** Rows: list items. */
  readonly children: readonly ReactNode[];
}

/** The frame of a list that is read on: filters, rows, what failed, and the button for more. */
export function PagedList({ list, what, filters, columns, children }: PagedListProps) {
  const { pages, error, isFetching, isFiltered, more, retry } = list;
  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <Box
        role="search"
        aria-label={`Filter ${what}`}
        sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5, p: 2 }}
      >
        {filters}
        {columns && <ColumnsButton columns={columns} />}
      </Box>
      <Box sx={{ height: 4 }}>
        {isFetching && (
          <Delayed>
            <LinearProgress aria-label={`Loading ${what}`} />
          </Delayed>
        )}
      </Box>
      <Box
        component="ul"
        aria-label={what.charAt(0).toUpperCase() + what.slice(1)}
        sx={{
          m: 0,
          p: 0,
          listStyle: "none",
          "& > li": { px: 2, py: 1.5, columnGap: 3, borderTop: 1, borderColor: "divider" },
        }}
      >
        {children}
      </Box>
      {error && (
        <Alert
          severity="error"
          sx={{ m: 2 }}
          action={
            <Button color="inherit" onClick={retry}>
              Try again
            </Button>
          }
        >
          {loadFailureText(what, error)}
        </Alert>
      )}
      {pages && !error && !more && children.length === 0 && (
        <EmptyNote title={isFiltered ? `No ${what} match these filters` : `No ${what} yet`} />
      )}
      {more && !error && (
        <Box sx={{ display: "grid", justifyItems: "center", p: 2 }}>
          <Button variant="outlined" loading={isFetching} onClick={more}>
            Show more
          </Button>
        </Box>
      )}
    </Paper>
  );
}
