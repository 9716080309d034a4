import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { useForm } from "react-hook-form";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { SETTING_NAMES, type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import { ApiError, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { formatClock } from "../shared/formats.ts";
import { useProof } from "../shared/use-proof.tsx";
import { SettingField } from "./SettingField.tsx";
import { SettingsConflict } from "./SettingsConflict.tsx";
import { changedFields, changeOf, formOf, mergedForm, type SettingForm } from "./setting-values.ts";

const FAILED = "Failed to save settings";

/** All settings, and the button that saves those that were changed. */
export function SettingsForm({ settings }: { readonly settings: SystemSettings }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const notify = useNotify();
  const proof = useProof();
  const [opened, setOpened] = useState(settings);
  const [theirs, setTheirs] = useState<SystemSettings>();
  const [failure, setFailure] = useState<string>();
  const form = useForm<SettingForm>({ defaultValues: formOf(settings), mode: "onTouched" });
  const { control, formState, watch } = form;
  const isMaintained = watch("maintenanceMode") === true;

  function show(now: SystemSettings, values = formOf(now)) {
    setOpened(now);
    setTheirs(undefined);
    // What is typed stays changed in comparison with what applies now.
    form.reset(formOf(now));
    for (const name of changedFields(formOf(now), values))
      form.setValue(name, values[name], { shouldDirty: true });
  }

  const save = form.handleSubmit(async (values) => {
    setFailure(undefined);
    try {
      const change = changeOf(formOf(opened), values, opened.revision);
      const said = await proof.run(() => provider.changeSettings(change));
      if (said === undefined) return;
      notify(said, { type: "success" });
      show((await provider.settings()).data);
    } catch (error) {
      await refuse(error);
    }
  });

  async function refuse(error: unknown) {
    const { code = "", fields = {} } = error instanceof ApiError ? error : {};
    if (code === "settings_changed") {
      setTheirs((await provider.settings()).data);
      return;
    }
    const named = Object.entries(fields).filter(([name]) => name in control._defaultValues);
    for (const [index, [name, message]] of named.entries())
      form.setError(name as SettingName, { message }, { shouldFocus: index === 0 });
    const why = messageOf(error, "");
    setFailure(why ? `${FAILED}: ${why}` : FAILED);
  }

  const { rateLimitOffUntil } = opened;
  const notes: Partial<Record<SettingName, string | undefined>> = {
    rateLimitEnabled: rateLimitOffUntil && `Limits come back at ${formatClock(rateLimitOffUntil)}.`,
  };
  const isShown = (name: SettingName) => settingRow(name).of !== "maintenanceMode" || isMaintained;
  return (
    <Box component="form" noValidate onSubmit={(event) => void save(event)}>
      {failure && (
        <Alert severity="error" sx={{ mb: 2 }}>
          {failure}
        </Alert>
      )}
      {theirs && (
        <SettingsConflict
          opened={opened}
          theirs={theirs}
          mine={form.getValues()}
          onUseTheirs={() => show(theirs)}
          onKeepMine={() => {
            const kept = mergedForm(formOf(opened), form.getValues(), formOf(theirs));
            show(theirs, kept);
          }}
        />
      )}
      <Box sx={{ display: "grid", gap: 2, mb: 3, maxWidth: 720 }}>
        {SETTING_NAMES.filter(isShown).map((name) => (
          <SettingField key={name} name={name} control={control} note={notes[name]} />
        ))}
      </Box>
      <Button
        type="submit"
        variant="contained"
        disabled={!formState.isDirty || theirs !== undefined}
        aria-disabled={formState.isSubmitting}
      >
        {formState.isSubmitting ? "Saving…" : "Save Settings"}
      </Button>
      {proof.dialog}
    </Box>
  );
}
