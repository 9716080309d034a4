import Box from "@mui/material/Box";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Link } from "react-admin";
import { useLocation, useNavigationType } from "react-router-dom";
import { color } from "#theme/color.ts";
import { size } from "#theme/tokens.ts";
import { paths } from "../config/paths.ts";

/** Name of the registry, which the server writes into the page. */
export const productName = () =>
  document.querySelector<HTMLMetaElement>('meta[name="product-name"]')?.content ?? "";

interface PageHeadingProps {
  readonly children: ReactNode;
  /** The window's title. By default it is the heading's text, if that is a string. */
  readonly title: string;
  /** For headings in the header, where a narrow screen has little room. */
  readonly compact?: boolean;
}

/** Of texts in the header, beside up to four buttons: on a phone they take two lines. */
export const compactText = {
  fontSize: { xs: 16, sm: 20 },
  lineHeight: 1.25,
  whiteSpace: { sm: "nowrap" },
} as const;

/** Whether a page was shown since the console was loaded. The first page does not move the focus. */
let opened = false;

/** A page's heading. It takes the focus on each new page, so that a screen reader announces it. */
export function PageHeading({ children, title, compact = false }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(!opened);
  const kind = useNavigationType();
  useEffect(() => {
    document.title = `${title} – ${productName()} console`;
  }, [title]);
  useEffect(() => {
    opened = true;
    if (isFirst.current || kind === "POP") return;
    heading.current?.focus({ preventScroll: true });
  }, [kind]);
  return (
    <Typography
      ref={heading}
      component="h1"
      variant="h1"
      tabIndex={-1}
      sx={compact ? compactText : { overflowWrap: "anywhere" }}
    >
      {children}
    </Typography>
  );
}

const SYSTEM = [
  [paths.system, "System"],
  [paths.settings, "Settings"],
  [paths.test, "Connectivity test"],
] as const;
const DOCUMENTS = [
  [paths.documents, "Evidence and letters"],
  [paths.noticeMaterial, "DMCA notices"],
] as const;

/** Leads between the pages about the registry itself. */
export const SystemTabs = () => <PageTabs label="System pages" pages={SYSTEM} />;

/** Leads between files of reports, and what notices are about. */
export const DocumentTabs = () => <PageTabs label="Documents" pages={DOCUMENTS} />;

function PageTabs(props: {
  readonly label: string;
  readonly pages: readonly (readonly [path: string, name: string])[];
}) {
  const { pathname } = useLocation();
  return (
    <Box component="nav" aria-label={props.label} sx={{ display: "flex", gap: 2 }}>
      {props.pages.map(([path, name]) => {
        const isHere = pathname === path;
        return (
          <Link
            key={path}
            to={path}
            underline="none"
            aria-current={isHere ? "page" : undefined}
            sx={{
              minHeight: size.target,
              display: "flex",
              alignItems: "center",
              fontWeight: 600,
              color: isHere ? color.primary : color.inkMuted,
              borderBottom: `2px solid ${isHere ? color.primary : "transparent"}`,
            }}
          >
            {name}
          </Link>
        );
      })}
    </Box>
  );
}

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** Fragment that links on the page use. */
  readonly anchor?: string;
  /** Whether it stands beside or below others that are read at one glance. */
  readonly isDense?: boolean;
}

/** A part of the page with a heading. */
export function Section({ title, children, action, anchor, isDense = false }: SectionProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      id={anchor}
      aria-labelledby={id}
      sx={{
        p: isDense ? 1.5 : { xs: 2, md: 3 },
        border: 1,
        borderColor: "divider",
        scrollMarginTop: 72,
        ...(isDense ? { display: "grid", gap: 1 } : {}),
      }}
    >
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 2,
          mb: isDense ? 0 : 1,
          flexWrap: "wrap",
        }}
      >
        <Typography id={id} component="h2" variant={isDense ? "h3" : "h2"} sx={{ flex: 1 }}>
          {title}
        </Typography>
        {action}
      </Box>
      {children}
    </Paper>
  );
}
