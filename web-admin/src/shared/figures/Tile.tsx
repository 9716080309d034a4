import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Paper from "@mui/material/Paper";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { color } from "#theme/color.ts";
import { type } from "#theme/tokens.ts";
import { Delayed } from "../Delayed.tsx";

export interface TileProps {
  readonly label: string;
  /** Null when it could not be read, undefined while it loads. */
  readonly value: ReactNode;
  readonly note?: ReactNode;
  /** Whether the value is a list, with a line for each entry. */
  readonly isList?: boolean;
  /** Whether something is to be done about it now. */
  readonly isDue?: boolean;
  readonly to?: string;
  readonly onRetry?: () => void;
}

/** One figure with its name. */
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
            component={RouterLink}
            to={to}
            color="inherit"
            underline="hover"
            // The whole tile leads there.
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
              fontVariantNumeric: "tabular-nums",
              overflowWrap: "anywhere",
            }}
          >
            {value}
          </Typography>
          {note && <Typography color={quiet}>{note}</Typography>}
        </Box>
      )}
    </Paper>
  );
}

export interface TilesProps {
  readonly label: string;
  /** How many stand beside each other on a wide screen. */
  readonly columns: number;
  readonly children: ReactNode;
}

/** Tiles in rows. */
export function Tiles({ label, columns, children }: TilesProps) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{
        listStyle: "none",
        m: 0,
        p: 0,
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
