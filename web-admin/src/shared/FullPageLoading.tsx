import Box from "@mui/material/Box";
import { Appears } from "./Appears.tsx";

/** Stands in for a page that is on its way. */
export function FullPageLoading() {
  return (
    <Appears>
      <Box component="p" role="status" sx={{ p: 3, color: "text.secondary" }}>
        Loading…
      </Box>
    </Appears>
  );
}
