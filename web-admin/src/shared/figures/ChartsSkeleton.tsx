import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { Delayed } from "../Delayed.tsx";
import { Section } from "../Section.tsx";
import { CHART_HEIGHT } from "./ChartSection.tsx";

/** The place of the charts while their figures load. */
export function ChartsSkeleton() {
  return (
    <Section title="Charts">
      <Box sx={{ height: CHART_HEIGHT }}>
        <Delayed>
          <Skeleton variant="rectangular" height={CHART_HEIGHT} />
        </Delayed>
      </Box>
    </Section>
  );
}
