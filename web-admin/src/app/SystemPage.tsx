import Box from "@mui/material/Box";
import { SettingsSection } from "../settings/SettingsSection.tsx";
import { SystemState } from "../system/SystemState.tsx";

/** How the registry runs, and its settings, for admins. */
export function SystemPage() {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <SystemState />
      <SettingsSection />
    </Box>
  );
}
