import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { SYSTEM_SETTING_NAMES, settingRow } from "#contracts/settings/catalogue.ts";
import { messageOf } from "../data/api-error.ts";
import { Section } from "../shared/page.tsx";
import { useSettings } from "../shared/reads.ts";
import { Read } from "../shared/states.tsx";
import { SettingField } from "./SettingField.tsx";
import { SettingsForm } from "./SettingsForm.tsx";

/** The settings on the System page. */
export function SettingsSection() {
  return (
    <Section title="Settings" anchor="settings">
      <LoadedSettings failed="Failed to load system data">
        {(settings) => (
          <SettingsForm settings={settings} names={SYSTEM_SETTING_NAMES}>
            {({ values, present, limitsNote }) => (
              <Box sx={{ display: "grid", gap: 2, mb: 3, maxWidth: 720 }}>
                {SYSTEM_SETTING_NAMES.filter(
                  (name) =>
                    settingRow(name).of !== "maintenanceMode" || values.maintenanceMode === true,
                ).map((name) => (
                  <SettingField
                    key={name}
                    name={name}
                    present={present}
                    note={name === "rateLimitEnabled" ? limitsNote : undefined}
                  />
                ))}
              </Box>
            )}
          </SettingsForm>
        )}
      </LoadedSettings>
    </Section>
  );
}

/** Renders its children once the settings are loaded; until then, a loading indicator or the error. */
export function LoadedSettings(props: {
  /** The error message's prefix. */
  readonly failed: string;
  readonly children: (settings: SystemSettings) => ReactNode;
}) {
  const failed = (error: unknown) =>
    [props.failed, messageOf(error, "")].filter(Boolean).join(": ");
  return (
    <Read query={useSettings()} what="the settings" failed={failed}>
      {props.children}
    </Read>
  );
}
