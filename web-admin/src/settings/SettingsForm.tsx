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
  shortenedWords,
  valueInWords,
} from "./setting-values.ts";

interface Shown {
  readonly values: SettingForm;
  readonly present: SystemSettings;
  /** When the limits are on again; undefined while they are on. */
  readonly limitsNote: string | undefined;
}

/** Some of the settings, and the button that saves those that were changed. */
export function SettingsForm(props: {
  readonly settings: SystemSettings;
  readonly names: readonly SettingName[];
  readonly children: (shown: Shown) => ReactNode;
}) {
  const { settings, names, children } = props;
  const { form, opened, theirs, failure, asking, save, ...answers } = useSettingsForm(
    settings,
    names,
  );
  const { formState, watch } = form;
  const { rateLimitOffUntil } = opened;
  const limitsNote =
    rateLimitOffUntil && `Limits turn back on at ${formatClock(rateLimitOffUntil)}.`;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!formState.isSubmitting && !theirs) void save();
      }}
    >
      {theirs && (
        <SettingsConflict
          opened={opened}
          theirs={theirs}
          mine={form.getValues()}
          onUseTheirs={answers.useTheirs}
          onKeepMine={answers.keepMine}
        />
      )}
      <FormProvider {...form}>
        {children({ values: watch(), present: opened, limitsNote })}
      </FormProvider>
      <SaveBar
        status={formState.isDirty && !formState.isSubmitting ? "You have unsaved changes." : ""}
        failure={failure}
      >
        {formState.isDirty && !formState.isSubmitting && (
          <Button onClick={answers.discard}>Discard changes</Button>
        )}
        <Button
          type="submit"
          variant="contained"
          disabled={!formState.isDirty || theirs !== undefined}
          aria-disabled={formState.isSubmitting}
        >
          {formState.isSubmitting ? "Saving…" : "Save Settings"}
        </Button>
      </SaveBar>
      <Confirm
        isOpen={asking.length > 0}
        title="Delete older data?"
        content={shortenedWords(asking, watch())}
        confirm="Save and delete"
        confirmColor="warning"
        onConfirm={answers.confirm}
        onClose={answers.cancel}
      />
    </Box>
  );
}

const FAILED = "Failed to save settings";

/**
 * The form of some settings. What someone else changes meanwhile is shown at once where nothing was typed;
 * where the same page was typed into, both are shown, and nothing is overwritten.
 * @param settings as they are now.
 * @param names those of this form.
 */
function useSettingsForm(settings: SystemSettings, names: readonly SettingName[]) {
  const provider = useProvider();
  const notify = useNotify();
  const [opened, setOpened] = useState(settings);
  const [theirs, setTheirs] = useState<SystemSettings>();
  const [failure, setFailure] = useState<string>();
  /** Of which less is kept than before, while that is asked. */
  const [asking, setAsking] = useState<readonly SettingName[]>([]);
  const form = useCheckedForm<SettingForm>(formOf(settings));
  const { isDirty, isSubmitting } = form.formState;

  /** @param values what is typed; it stays changed in comparison with what applies now. */
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

  function follow(now: SystemSettings) {
    if (isDirty && isOurs(opened, now)) setTheirs(now);
    else show(now, isDirty ? merged(opened, now) : undefined);
  }
  const isBehind = settings.revision > (theirs ?? opened).revision && !isSubmitting;
  useEffect(() => {
    if (isBehind) follow(settings);
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
      // What was typed since the button was pressed stays.
      show(now, mergedForm(sent, form.getValues(), formOf(now)));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "settings_changed") throw error;
      const now = await provider.read<SystemSettings>(SYSTEM_SETTINGS);
      if (isOurs(from, now)) return setTheirs(now);
      // What changed is on the other page.
      show(now, merged(from, now));
      return sendFrom(now, mergedForm(formOf(from), sent, formOf(now)));
    }
  }

  return {
    form,
    opened,
    theirs,
    failure,
    asking,
    /** Sends what was changed, after a question where that deletes. */
    async save() {
      if (!(await form.check())) return;
      const less = shortened(formOf(opened), form.getValues());
      if (less.length > 0) setAsking(less);
      else await send();
    },
    confirm() {
      setAsking([]);
      void send();
    },
    cancel: () => setAsking([]),
    discard() {
      setFailure(undefined);
      show(opened);
    },
    useTheirs: () => theirs && show(theirs),
    keepMine: () => theirs && show(theirs, merged(opened, theirs)),
  };
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
          const typed =
            mine[name] === before[name] ? "" : `; you: ${valueInWords(name, mine[name])}`;
          return (
            <li key={name}>
              {settingRow(name).label}: {valueInWords(name, now[name])} ({by}
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
