import Box from "@mui/material/Box";
import { SystemState } from "./SystemState.tsx";

/** How the registry runs, for admins. */
export function SystemPage() {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <SystemState />
    </Box>
  );
}
