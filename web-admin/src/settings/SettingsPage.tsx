import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { REGISTRY_SETTING_NAMES, SETTING_GROUPS } from "#contracts/settings/catalogue.ts";
import { formatInstant } from "../shared/formats.ts";
import { Section, SystemTabs } from "../shared/page.tsx";
import { SettingField } from "./SettingField.tsx";
import { SettingsForm } from "./SettingsForm.tsx";
import { LoadedSettings } from "./SettingsSection.tsx";

const GRID = { display: "grid", gap: 2 } as const;
const PAGE = { ...GRID, gridTemplateColumns: "minmax(0, 1fr)" } as const;

/** All settings that are not on the System page, for admins. */
export function SettingsPage() {
  return (
    <Box sx={PAGE}>
      <SystemTabs />
      <LoadedSettings failed="Failed to load settings">
        {(settings) => (
          <SettingsForm settings={settings} names={REGISTRY_SETTING_NAMES}>
            {({ present }) => (
              <Box sx={{ ...PAGE, mb: 2 }}>
                {SETTING_GROUPS.map(({ title, sentence, names }) => (
                  <Section key={title} title={title}>
                    {sentence && (
                      <Typography color="textSecondary" sx={{ mb: 2, maxWidth: "70ch" }}>
                        {sentence}
                      </Typography>
                    )}
                    <Box sx={{ ...GRID, maxWidth: 720 }}>
                      {names.map((name) => (
                        <SettingField
                          key={name}
                          name={name}
                          present={present}
                          note={setBy(present.changes[name])}
                        />
                      ))}
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

function setBy(change: SystemSettings["changes"][string] | undefined) {
  return change && `Set by ${change.by ?? "an admin"}, ${formatInstant(change.at)}.`;
}
