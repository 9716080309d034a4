import CopyIcon from "@mui/icons-material/ContentCopy";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { Link, useNotify } from "react-admin";
import { reportNumber } from "#contracts/report/masks.ts";
import { color } from "#theme/color.ts";
import { size } from "#theme/tokens.ts";
import { paths } from "../config/paths.ts";
import { formatAge, formatBoth, formatClock, formatDay, formatInstant } from "./formats.ts";
import { valueText } from "./labels.ts";
import { visuallyHidden } from "./visually-hidden.ts";

const FORMATS = {
  instant: formatInstant,
  day: formatDay,
  clock: formatClock,
  ago: (at: string) => `${formatAge(Math.max(0, Date.now() - Date.parse(at)))} ago`,
} as const;

interface InstantProps {
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** How much of it is shown. */
  readonly as?: keyof typeof FORMATS;
}

/** An instant in the reader's time zone. The tooltip also shows it in UTC, as in server logs. */
export function Instant({ at, as = "instant" }: InstantProps) {
  return (
    <time
      dateTime={at}
      title={as === "instant" ? formatInstant(at, "UTC") : formatBoth(at)}
      style={{ whiteSpace: as === "instant" ? undefined : "nowrap" }}
    >
      {FORMATS[as](at)}
    </time>
  );
}

/** An icon button for a command on a row. */
export function RowButton(props: {
  readonly label: string;
  /** The tooltip: the label without the row's name. */
  readonly tip: string;
  readonly icon: typeof CopyIcon;
  readonly onClick: () => void;
}) {
  const { label, tip, icon: Icon, onClick } = props;
  return (
    <Tooltip title={tip}>
      <IconButton
        aria-label={label}
        color="primary"
        onClick={onClick}
        sx={{ width: { xs: size.target, lg: 32 }, height: { xs: size.target, lg: 32 } }}
      >
        <Icon fontSize="small" />
      </IconButton>
    </Tooltip>
  );
}

/** A report's number as used in emails and notices. Clicking copies it. */
export function CopyNumber({ id }: { readonly id: string }) {
  const notify = useNotify();
  const number = reportNumber(id);
  return (
    <Button
      size="small"
      aria-label={`Copy number ${number}`}
      onClick={() =>
        void navigator.clipboard.writeText(number).then(
          () => notify("Number copied", { type: "success" }),
          () => notify("Couldn't copy the number", { type: "error" }),
        )
      }
      endIcon={<CopyIcon sx={{ fontSize: 16 }} />}
      sx={{
        px: 0.5,
        mx: -0.5,
        minHeight: { xs: 44, md: 28 },
        fontWeight: 400,
        // Browsers set their own numeric style on buttons.
        fontVariantNumeric: "inherit",
        color: "text.secondary",
      }}
    >
      {number}
    </Button>
  );
}

interface NamedReport {
  readonly id: string;
  readonly number: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** The person of a report, on one line of a list, with a link to the report. */
export function ReportName({ report }: { readonly report: NamedReport }) {
  const { id, number, first_name, last_name } = report;
  return (
    <Link to={paths.report(id)} underline="hover">
      {first_name} {last_name}{" "}
      <Box
        component="span"
        sx={({ breakpoints }) => ({
          color: "text.secondary",
          fontWeight: 400,
          ml: 0.5,
          // Truncated, it would be useless.
          [breakpoints.down("sm")]: visuallyHidden,
        })}
      >
        {number}
      </Box>
    </Link>
  );
}

/**
 * The shortcut key of the button that contains it. Hidden from screen readers, and on phones, which have no keyboard.
 */
export function KeyHint({ children }: { readonly children: string }) {
  return (
    <Box component="span" aria-hidden sx={{ display: { xs: "none", sm: "inline" } }}>
      <Key>{children}</Key>
    </Box>
  );
}

/** A keyboard key, in text about shortcuts. */
export function Key({ children }: { readonly children: string }) {
  return (
    <Box
      component="kbd"
      sx={{
        fontFamily: "inherit",
        fontSize: 14,
        lineHeight: "20px",
        display: "inline-block",
        minWidth: 20,
        textAlign: "center",
        px: 0.5,
        border: 1,
        borderRadius: 0.5,
        opacity: 0.7,
      }}
    >
      {children}
    </Box>
  );
}

const WAITING = { ground: color.warningTint, edge: color.warningLine, text: color.warning };
const SETTLED = { ground: color.settledTint, edge: color.settled, text: color.settled };
const OFF = { ground: color.groundStrong, edge: color.lineStrong, text: color.ink };
const LOOKS: Readonly<Record<string, typeof OFF>> = {
  pending: WAITING,
  under_review: { ground: color.privateTint, edge: color.privateLine, text: color.private },
  approved: SETTLED,
  rejected: OFF,
  draft: WAITING,
  published: SETTLED,
  active: SETTLED,
  inactive: OFF,
  failure: WAITING,
  warning: WAITING,
  banned: WAITING,
};
const NEUTRAL = { ground: color.paper, edge: color.lineStrong, text: color.inkMuted };

/** A status chip; by default for a report. Red is reserved for amounts, so rejected reports are gray. */
export function StatusChip({
  status,
  label = valueText("status", status),
}: {
  readonly status: string;
  readonly label?: string;
}) {
  const look = LOOKS[status] ?? NEUTRAL;
  return (
    <Chip
      label={label}
      variant="outlined"
      sx={{ bgcolor: look.ground, borderColor: look.edge, color: look.text, fontWeight: 600 }}
    />
  );
}
