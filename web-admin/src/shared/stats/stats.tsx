import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Paper from "@mui/material/Paper";
import Skeleton from "@mui/material/Skeleton";
import type { SxProps, Theme } from "@mui/material/styles";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-admin";
import { color } from "#theme/color.ts";
import { type } from "#theme/tokens.ts";
import { Section } from "../page.tsx";
import { Delayed, Placeholder, RetryAlert } from "../states.tsx";
import { visuallyHidden } from "../visually-hidden.ts";

export interface StatsTableProps {
  readonly label: string;
  /** Column names. All columns except the first are numeric and right-aligned. */
  readonly columns: readonly string[];
  /** Cells by row; the first is the row's header. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/**
 * A small table of numbers. On narrow screens, each row becomes a block with the column names in it. Roles are
 * explicit because a table without table layout loses them.
 */
export function StatsTable({ label, columns, rows }: StatsTableProps) {
  return (
    // Scrollable content must be focusable.
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
              <TableCell
                key={column}
                role="columnheader"
                align={sideOf(i)}
                sx={{ top: 0, whiteSpace: "nowrap" }}
              >
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
                  sx={{ py: 1, fontWeight: 400 }}
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

/** Rows become blocks below the theme's `sm` breakpoint. */
const STACKED: SxProps<Theme> = (theme) => ({
  "& tbody > tr:last-child > *": { border: 0 },
  [theme.breakpoints.down("sm")]: {
    "&, & tbody, & tr": { display: "block" },
    "& thead": visuallyHidden,
    "& tr": { py: 1 },
    "& tr + tr": { borderTop: 1, borderColor: "divider" },
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
    "& td::before": {
      content: "attr(data-column)",
      color: "text.secondary",
      textAlign: "left",
      flexShrink: 0,
    },
    "& td:empty": { display: "none" },
  },
});

/** A section for one part of a response, which may be loading, loaded, or failed on its own. */
export function Part<T>(props: {
  readonly title: string;
  /** Null if it couldn't be read, undefined while loading. */
  readonly data: T | null | undefined;
  readonly onRetry: () => void;
  readonly children: (data: T) => ReactNode;
}) {
  const { title, data, onRetry, children } = props;
  return (
    <Section title={title}>
      {data === undefined && <Placeholder height={200} />}
      {data === null && (
        <RetryAlert what={title} onRetry={onRetry}>
          Couldn't load {title}.
        </RetryAlert>
      )}
      {data !== null && data !== undefined && children(data)}
    </Section>
  );
}

interface TileProps {
  readonly label: string;
  /** Null if it couldn't be read, undefined while loading. */
  readonly value: ReactNode;
  readonly note?: ReactNode;
  /** Whether the value is a list with one line per entry. */
  readonly isList?: boolean;
  /** Whether it needs action now. */
  readonly isDue?: boolean;
  readonly to?: string;
  readonly onRetry?: () => void;
}

/** A labeled number. */
export function Tile({ label, value, note, isList = false, isDue, to, onRetry }: TileProps) {
  const quiet = isDue ? "error" : "textSecondary";
  return (
    <Paper
      component="li"
      sx={{
        position: "relative",
        p: 1.5,
        border: 1,
        borderColor: isDue ? "error.main" : "divider",
        bgcolor: isDue ? color.dueTint : "background.paper",
        display: "grid",
        alignContent: "start",
        ...(to ? { "&:hover": { borderColor: color.lineStrong } } : {}),
      }}
    >
      <Typography color={quiet}>
        {to ? (
          <Link
            to={to}
            color="inherit"
            underline="hover"
            // Makes the whole tile a link.
            sx={{ "&::after": { content: '""', position: "absolute", inset: 0 } }}
          >
            {label}
          </Link>
        ) : (
          label
        )}
      </Typography>
      {value === undefined && (
        <Box sx={{ minHeight: 56 }}>
          <Delayed>
            <Skeleton width="60%" height={type.title.line} />
            <Skeleton width="80%" />
          </Delayed>
        </Box>
      )}
      {value === null && (
        <Box role="alert" sx={{ minHeight: 56 }}>
          <Typography sx={{ fontWeight: 600 }}>Couldn't load</Typography>
          {onRetry && (
            <Button
              size="small"
              onClick={onRetry}
              aria-label={`Try again: ${label}`}
              sx={{ ml: -1, position: "relative" }}
            >
              Try again
            </Button>
          )}
        </Box>
      )}
      {value !== undefined && value !== null && (
        <Box sx={{ minHeight: 56 }}>
          <Typography
            component="p"
            sx={{
              fontSize: isList ? type.body.size : type.title.size,
              lineHeight: `${isList ? type.body.line : type.title.line}px`,
              fontWeight: 600,
              overflowWrap: "anywhere",
              textWrap: "balance",
            }}
          >
            {value}
          </Typography>
          {note && (
            <Typography color={quiet} sx={{ textWrap: "balance" }}>
              {note}
            </Typography>
          )}
        </Box>
      )}
    </Paper>
  );
}

interface TilesProps {
  readonly label: string;
  /** Number of columns on a wide screen. */
  readonly columns: number;
  readonly children: ReactNode;
}

export function Tiles({ label, columns, children }: TilesProps) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{
        display: "grid",
        gap: 1.5,
        gridTemplateColumns: {
          xs: "repeat(auto-fill, minmax(140px, 1fr))",
          md: `repeat(${columns}, minmax(0, 1fr))`,
        },
      }}
    >
      {children}
    </Box>
  );
}
