import Box from "@mui/material/Box";
import { Delayed } from "./Delayed.tsx";

/** Stands in for a page that is on its way. */
export function FullPageLoading() {
  return (
    <Delayed>
      <Box component="p" role="status" aria-busy sx={{ p: 3, color: "text.secondary" }}>
        Loading…
      </Box>
    </Delayed>
  );
}
