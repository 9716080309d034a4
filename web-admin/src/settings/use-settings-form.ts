import { useEffect, useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { useForm } from "react-hook-form";
import type { SystemSettings } from "#contracts/http/settings.ts";
import type { SettingName } from "#contracts/settings/catalogue.ts";
import { ApiError, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useProof } from "../shared/use-proof.tsx";
import {
  changedFields,
  changeOf,
  formOf,
  mergedForm,
  type SettingForm,
  shortened,
} from "./setting-values.ts";

const FAILED = "Failed to save settings";

/**
 * The form of some settings. What somebody else changes meanwhile is shown at once where nothing was typed;
 * where the same page was typed into, both are shown, and nothing is overwritten.
 * @param settings as they are now.
 * @param names those of this form.
 */
export function useSettingsForm(settings: SystemSettings, names: readonly SettingName[]) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const notify = useNotify();
  const proof = useProof();
  const [opened, setOpened] = useState(settings);
  const [theirs, setTheirs] = useState<SystemSettings>();
  const [failure, setFailure] = useState<string>();
  /** Of which less is kept than before, while that is asked. */
  const [asking, setAsking] = useState<readonly SettingName[]>([]);
  const form = useForm<SettingForm>({ defaultValues: formOf(settings), mode: "onTouched" });
  const { isDirty, isSubmitting } = form.formState;

  /** @param values what is typed; it stays changed in comparison with what applies now. */
  function show(now: SystemSettings, values = formOf(now)) {
    setOpened(now);
    setTheirs(undefined);
    form.reset(formOf(now));
    for (const name of changedFields(formOf(now), values))
      form.setValue(name, values[name], { shouldDirty: true });
  }
  const merged = (from: SystemSettings, now: SystemSettings) =>
    mergedForm(formOf(from), form.getValues(), formOf(now));
  /** Whether somebody else has changed a setting of this form. */
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
      refuse(error);
    }
  });

  async function sendFrom(from: SystemSettings, sent: SettingForm): Promise<void> {
    const change = changeOf(formOf(from), sent, from.revision);
    try {
      const said = await proof.run(() => provider.changeSettings(change));
      if (said === undefined) return;
      notify(said, { type: "success" });
      const now = (await provider.settings()).data;
      // What was typed since the button was pressed stays.
      show(now, mergedForm(sent, form.getValues(), formOf(now)));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "settings_changed") throw error;
      const now = (await provider.settings()).data;
      if (isOurs(from, now)) return setTheirs(now);
      // What changed is on the other page.
      show(now, merged(from, now));
      return sendFrom(now, mergedForm(formOf(from), sent, formOf(now)));
    }
  }

  function refuse(error: unknown) {
    const { fields = {} } = error instanceof ApiError ? error : {};
    const named = Object.entries(fields).filter(([name]) => names.includes(name as SettingName));
    for (const [index, [name, message]] of named.entries())
      form.setError(name as SettingName, { message }, { shouldFocus: index === 0 });
    const why = messageOf(error, "");
    setFailure(why ? `${FAILED}: ${why}` : FAILED);
  }

  return {
    form,
    opened,
    theirs,
    failure,
    asking,
    dialog: proof.dialog,
    /** Sends what was changed, after a question where that deletes. */
    async save() {
      if (!(await form.trigger(undefined, { shouldFocus: true }))) return;
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
