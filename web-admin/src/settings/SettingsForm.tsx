import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useEffect, useState } from "react";
import { Confirm, useNotify } from "react-admin";
import { FormProvider } from "react-hook-form";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { type SettingName, settingRow } from "#contracts/settings/catalogue.ts";
import { SYSTEM_SETTINGS } from "#contracts/settings/settings-at.ts";
import { ApiError, messageOf } from "../data/api-error.ts";
import { formatClock, formatInstant } from "../shared/formats.ts";
import { useProvider } from "../shared/reads.ts";
import { SaveBar } from "../shared/SaveBar.tsx";
import { typedSince, useCheckedForm } from "../shared/versions/use-checked-form.ts";
import {
  changedFields,
  changeOf,
  formOf,
  mergedForm,
  type SettingForm,
  shortened,
  shortenedText,
  valueText,
} from "./setting-values.ts";

interface Shown {
  readonly values: SettingForm;
  readonly present: SystemSettings;
  /** When the limits turn back on; undefined while they are on. */
  readonly limitsNote: string | undefined;
}

const FAILED = "Failed to save settings";

/**
 * A form for some of the settings, which saves only changed ones. Changes by others show immediately if nothing was
 * typed; if both changed settings of this form, both versions are shown and nothing is overwritten.
 */
export function SettingsForm(props: {
  readonly settings: SystemSettings;
  readonly names: readonly SettingName[];
  readonly children: (shown: Shown) => ReactNode;
}) {
  const { settings, names, children } = props;
  const provider = useProvider();
  const notify = useNotify();
  const [opened, setOpened] = useState(settings);
  const [theirs, setTheirs] = useState<SystemSettings>();
  const [failure, setFailure] = useState<string>();
  /** Shortened retention settings, while confirmation is pending. */
  const [asking, setAsking] = useState<readonly SettingName[]>([]);
  const form = useCheckedForm<SettingForm>(formOf(settings));
  const { isDirty, isSubmitting } = form.formState;

  /** @param values the form's values; they stay dirty compared to the current settings. */
  function show(now: SystemSettings, values = formOf(now)) {
    setOpened(now);
    setTheirs(undefined);
    form.rebase(formOf(now), typedSince(formOf(now), values));
  }
  const merged = (from: SystemSettings, now: SystemSettings) =>
    mergedForm(formOf(from), form.getValues(), formOf(now));
  /** Whether someone else has changed a setting of this form. */
  const isOurs = (from: SystemSettings, now: SystemSettings) =>
    changedFields(formOf(from), formOf(now)).some((name) => names.includes(name));
  const isBehind = settings.revision > (theirs ?? opened).revision && !isSubmitting;
  useEffect(() => {
    if (!isBehind) return;
    if (isDirty && isOurs(opened, settings)) setTheirs(settings);
    else show(settings, isDirty ? merged(opened, settings) : undefined);
  });

  const send = form.handleSubmit(async () => {
    setFailure(undefined);
    try {
      await sendFrom(opened, form.getValues());
    } catch (error) {
      form.refuse(error);
      setFailure([FAILED, messageOf(error, "")].filter(Boolean).join(": "));
    }
  });

  async function sendFrom(from: SystemSettings, sent: SettingForm): Promise<void> {
    const change = changeOf(formOf(from), sent, from.revision);
    try {
      const saved = await provider.command(SYSTEM_SETTINGS, change, "PUT");
      notify(saved.message, { type: "success" });
      const now = await provider.read<SystemSettings>(SYSTEM_SETTINGS);
      // Keep what was typed after the button was pressed.
      show(now, mergedForm(sent, form.getValues(), formOf(now)));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "settings_changed") throw error;
      const now = await provider.read<SystemSettings>(SYSTEM_SETTINGS);
      if (isOurs(from, now)) return setTheirs(now);
      // Only settings of the other page have changed.
      show(now, merged(from, now));
      return sendFrom(now, mergedForm(formOf(from), sent, formOf(now)));
    }
  }

  /** Saves the changes, after confirmation if that deletes data. */
  async function save() {
    if (!(await form.check())) return;
    const less = shortened(formOf(opened), form.getValues());
    if (less.length > 0) setAsking(less);
    else await send();
  }
  function discard() {
    setFailure(undefined);
    show(opened);
  }

  const { rateLimitOffUntil } = opened;
  const limitsNote =
    rateLimitOffUntil && `Limits turn back on at ${formatClock(rateLimitOffUntil)}.`;
  const isUnsaved = isDirty && !isSubmitting;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting && !theirs) void save();
      }}
    >
      {theirs && (
        <SettingsConflict
          opened={opened}
          theirs={theirs}
          mine={form.getValues()}
          onUseTheirs={() => show(theirs)}
          onKeepMine={() => show(theirs, merged(opened, theirs))}
        />
      )}
      <FormProvider {...form}>
        {children({ values: form.watch(), present: opened, limitsNote })}
      </FormProvider>
      <SaveBar status={isUnsaved ? "You have unsaved changes." : ""} failure={failure}>
        {isUnsaved && <Button onClick={discard}>Discard changes</Button>}
        <Button
          type="submit"
          variant="contained"
          disabled={!isDirty || theirs !== undefined}
          aria-disabled={isSubmitting}
        >
          {isSubmitting ? "Saving…" : "Save Settings"}
        </Button>
      </SaveBar>
      <Confirm
        isOpen={asking.length > 0}
        title="Delete older data?"
        content={shortenedText(asking, form.watch())}
        confirm="Save and delete"
        confirmColor="warning"
        onConfirm={() => {
          setAsking([]);
          void send();
        }}
        onClose={() => setAsking([])}
      />
    </Box>
  );
}

function SettingsConflict(props: {
  readonly opened: SystemSettings;
  readonly theirs: SystemSettings;
  readonly mine: SettingForm;
  readonly onUseTheirs: () => void;
  readonly onKeepMine: () => void;
}) {
  const { opened, theirs, mine, onUseTheirs, onKeepMine } = props;
  const [before, now] = [formOf(opened), formOf(theirs)];
  return (
    <Alert severity="warning" role="alert" sx={{ mb: 2 }}>
      Someone else changed the settings after you opened them. Nothing was overwritten, and your
      changes are still here.
      <Box component="ul" sx={{ listStyle: "disc", my: 1, pl: 2.5 }}>
        {changedFields(before, now).map((name) => {
          const { by = "An admin", at } = theirs.changes[name] ?? {};
          const when = at ? `, ${formatInstant(at)}` : "";
          const typed = mine[name] === before[name] ? "" : `; you: ${valueText(name, mine[name])}`;
          return (
            <li key={name}>
              {settingRow(name).label}: {valueText(name, now[name])} ({by}
              {when}){typed}
            </li>
          );
        })}
      </Box>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
        <Button variant="contained" onClick={onUseTheirs}>
          Use theirs
        </Button>
        <Button variant="outlined" onClick={onKeepMine}>
          Keep mine
        </Button>
      </Box>
    </Alert>
  );
}
