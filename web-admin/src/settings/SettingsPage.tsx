import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { REGISTRY_SETTING_NAMES, SETTING_GROUPS } from "#contracts/settings/catalogue.ts";
import { formatInstant } from "../shared/formats.ts";
import { SystemTabs } from "../shared/PageTabs.tsx";
import { Section } from "../shared/Section.tsx";
import { LoadedSettings } from "./LoadedSettings.tsx";
import { SettingsForm } from "./SettingsForm.tsx";

/** The settings that are not on the page of the system, for admins. */
export function SettingsPage() {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <SystemTabs />
      <LoadedSettings failed="Failed to load settings">
        {(settings) => (
          <SettingsForm settings={settings} names={REGISTRY_SETTING_NAMES}>
            {({ field, present }) => (
              <Box sx={{ display: "grid", gap: 2, mb: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
                {SETTING_GROUPS.map(({ title, sentence, names }) => (
                  <Section key={title} title={title}>
                    {sentence && (
                      <Typography color="textSecondary" sx={{ mb: 2, maxWidth: "70ch" }}>
                        {sentence}
                      </Typography>
                    )}
                    <Box sx={{ display: "grid", gap: 2, maxWidth: 720 }}>
                      {names.map((name) => field(name, setBy(present.changes[name])))}
                    </Box>
                  </Section>
                ))}
              </Box>
            )}
          </SettingsForm>
        )}
      </LoadedSettings>
    </Box>
  );
}

function setBy(change: { readonly by?: string; readonly at: string } | undefined) {
  return change && `Set by ${change.by ?? "an admin"}, ${formatInstant(change.at)}.`;
}
