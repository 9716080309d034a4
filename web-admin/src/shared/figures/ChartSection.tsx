import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { color } from "#theme/color.ts";
import { Delayed } from "../Delayed.tsx";
import { Section } from "../Section.tsx";
import { FigureTable, type FigureTableProps } from "./FigureTable.tsx";

export const CHART_HEIGHT = 240;
/** With the legend above it, on one line. */
const WITH_LEGEND = CHART_HEIGHT + 36;

export interface ChartSectionProps {
  readonly title: string;
  /** What the chart shows in one sentence, for everybody. */
  readonly summary: string;
  readonly chart: ReactNode;
  /** The same figures in words and numbers. */
  readonly table: Omit<FigureTableProps, "label">;
  readonly action?: ReactNode;
}

/**
 * A chart with a sentence that sums it up, and a table of the same figures behind a switch. Code for
 * charts is loaded when one comes near the window.
 */
export function ChartSection({ title, summary, chart, table, action }: ChartSectionProps) {
  const [place, isNear] = useNearView<HTMLDivElement>();
  const skeleton = (
    <Delayed>
      <Skeleton variant="rectangular" height={WITH_LEGEND} />
    </Delayed>
  );
  return (
    <Section title={title} action={action}>
      <Typography color="textSecondary" sx={{ mb: 1 }}>
        {summary}
      </Typography>
      {/* The sentence and the table say the same to who cannot see it. */}
      <Box ref={place} aria-hidden sx={{ minHeight: WITH_LEGEND }}>
        {isNear ? <Suspense fallback={skeleton}>{chart}</Suspense> : skeleton}
      </Box>
      <Box
        component="details"
        sx={{ mt: 1, "& > summary": { cursor: "pointer", color: color.primary, py: 1.5 } }}
      >
        <summary>Figures as a table</summary>
        <FigureTable label={title} {...table} />
      </Box>
    </Section>
  );
}

/** How far below the window something is near, in CSS pixels. */
const NEAR = "200px";

/** Whether the element was ever in or near the window, so that what is far down can wait. */
function useNearView<E extends Element>(): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [element, isNear];
}
