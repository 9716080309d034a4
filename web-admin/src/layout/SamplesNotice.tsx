import Box from "@mui/material/Box";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { color } from "#theme/color.ts";
import { useRead } from "../shared/reads.ts";

/**
 * How long an answer is cached, in milliseconds. The notice disappears this long after a clearing.
 */
const CACHED_MS = 15_000;

/** Shows a notice on every page while samples are among the reports. */
export function SamplesNotice() {
  const { pathname } = useLocation();
  const { data, isStale, refetch } = useRead<{ loaded: boolean }>(
    ["samples"],
    "/prod/api/samples",
    { staleTime: CACHED_MS },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step to another page is what asks again.
  useEffect(() => {
    if (isStale) void refetch({ cancelRefetch: false });
  }, [pathname]);
  if (!data?.loaded) return null;
  return (
    <Box
      component="aside"
      aria-label="Sample data"
      sx={{
        px: 2,
        py: 0.75,
        bgcolor: color.warningTint,
        borderBottom: `1px solid ${color.warningLine}`,
        color: color.warning,
      }}
    >
      <strong>Sample data.</strong> Some reports are made up, and are labeled as samples.{" "}
      <Box component="code" sx={{ fontFamily: "ui-monospace, monospace", whiteSpace: "nowrap" }}>
        npm run sample:clear
      </Box>{" "}
      removes them.
    </Box>
  );
}
