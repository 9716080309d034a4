import Box from "@mui/material/Box";
import { SettingsSection } from "../settings/SettingsSection.tsx";
import { SystemTabs } from "../shared/page.tsx";
import { Backups } from "../system/Backups.tsx";
import { SystemActions } from "../system/SystemActions.tsx";
import { SystemState } from "../system/SystemState.tsx";

/** System status, maintenance actions, backups and settings, for admins. */
export function SystemPage() {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <SystemTabs />
      <SystemState />
      <SystemActions />
      <Backups />
      <SettingsSection />
    </Box>
  );
}
