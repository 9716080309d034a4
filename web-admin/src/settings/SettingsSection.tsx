import Box from "@mui/material/Box";
import { SYSTEM_SETTING_NAMES, settingRow } from "#contracts/settings/catalogue.ts";
import { Section } from "../shared/Section.tsx";
import { LoadedSettings } from "./LoadedSettings.tsx";
import { SettingsForm } from "./SettingsForm.tsx";

/** The seven settings of the page of the system. */
export function SettingsSection() {
  return (
    <Section title="Settings" anchor="settings">
      <LoadedSettings failed="Failed to load system data">
        {(settings) => (
          <SettingsForm settings={settings} names={SYSTEM_SETTING_NAMES}>
            {({ field, values }) => (
              <Box sx={{ display: "grid", gap: 2, mb: 3, maxWidth: 720 }}>
                {SYSTEM_SETTING_NAMES.filter(
                  (name) =>
                    settingRow(name).of !== "maintenanceMode" || values.maintenanceMode === true,
                ).map((name) => field(name))}
              </Box>
            )}
          </SettingsForm>
        )}
      </LoadedSettings>
    </Section>
  );
}
