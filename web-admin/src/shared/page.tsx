import Box from "@mui/material/Box";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Link } from "react-admin";
import { useLocation, useNavigationType } from "react-router-dom";
import { color } from "#theme/color.ts";
import { size } from "#theme/tokens.ts";
import { paths } from "../config/paths.ts";

/** Returns the registry's name, which the server writes into the page. */
export const productName = () =>
  document.querySelector<HTMLMetaElement>('meta[name="product-name"]')?.content ?? "";

interface PageHeadingProps {
  readonly children: ReactNode;
  /** Title of the browser window. */
  readonly title: string;
  /** For headings in the header, where narrow screens have little room. */
  readonly compact?: boolean;
}

/** Style of texts in the header, next to up to four buttons: two lines on phones. */
export const compactText = {
  fontSize: { xs: 16, sm: 20 },
  lineHeight: 1.25,
  whiteSpace: { sm: "nowrap" },
} as const;

/** Whether a page was shown since the console was loaded. The first page does not move the focus. */
let opened = false;

/** A page's heading. It is focused on each new page, so that screen readers announce it. */
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

/** Links between the pages about the registry itself. */
export const SystemTabs = () => <PageTabs label="System pages" pages={SYSTEM} />;

/** Links between files of reports and material of notices. */
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
  /** Fragment ID for links on the page. */
  readonly anchor?: string;
  /** Whether it is one of several compact sections. */
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
