import Typography from "@mui/material/Typography";
import { type ReactNode, useEffect, useRef } from "react";
import { useNavigationType } from "react-router-dom";

/** Name of the registry, which the server writes into the page. */
export const productName =
  document.querySelector<HTMLMetaElement>('meta[name="product-name"]')?.content ?? "";

export interface PageHeadingProps {
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

/** A page's heading. It takes the focus on each new page, so that a screen reader announces it. */
export function PageHeading({ children, title, compact = false }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const firstPage = useRef(isFirstPage());
  const kind = useNavigationType();
  useEffect(() => {
    document.title = `${title} – ${productName} console`;
  }, [title]);
  useEffect(() => {
    opened = true;
    if (firstPage.current || kind === "POP") return;
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

/**
 * Whether a page was shown since the console was loaded. The first page does not move the focus.
 */
let opened = false;
function isFirstPage(): boolean {
  return !opened;
}
