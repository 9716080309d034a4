import Box from "@mui/material/Box";
import { color } from "#theme/color.ts";
import { useFrameRead } from "../shared/reads.ts";

/** Shows a notice on every page while sample data is loaded. */
export function SamplesNotice() {
  const { data } = useFrameRead<{ loaded: boolean }>(["samples"], "/prod/api/samples");
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
