import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Confirm, useWarnWhenUnsavedChanges } from "react-admin";
import type { SystemSettings } from "#contracts/http/settings.ts";
import type { SettingName } from "#contracts/settings/catalogue.ts";
import { formatClock } from "../shared/formats.ts";
import { SettingField } from "./SettingField.tsx";
import { SettingsConflict } from "./SettingsConflict.tsx";
import type { SettingForm } from "./setting-values.ts";
import { shortenedWords } from "./shortened-words.ts";
import { useSettingsForm } from "./use-settings-form.ts";

/** What a page makes of the form. */
interface Shown {
  /** The control of a setting. @param note a second sentence, about how it stands now. */
  field(name: SettingName, note?: string): ReactNode;
  /** As typed. */
  readonly values: SettingForm;
  /** As saved. */
  readonly present: SystemSettings;
}

/** Some of the settings, and the button that saves those that were changed. */
export function SettingsForm(props: {
  /** As they are now. */
  readonly settings: SystemSettings;
  /** Those of this page. */
  readonly names: readonly SettingName[];
  readonly children: (shown: Shown) => ReactNode;
}) {
  const { settings, names, children } = props;
  const { form, opened, theirs, failure, asking, dialog, save, ...answers } = useSettingsForm(
    settings,
    names,
  );
  const { control, formState, watch } = form;
  useWarnWhenUnsavedChanges(true, undefined, control as never);
  const { rateLimitOffUntil } = opened;
  const field = (name: SettingName, note?: string) => (
    <SettingField
      key={name}
      name={name}
      control={control}
      note={
        name === "rateLimitEnabled" && rateLimitOffUntil
          ? `Limits turn back on at ${formatClock(rateLimitOffUntil)}.`
          : note
      }
    />
  );
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
      {children({ field, values: watch(), present: opened })}
      <Box
        sx={{
          position: "sticky",
          bottom: 0,
          zIndex: 1,
          py: 1.5,
          display: "flex",
          gap: 1,
          alignItems: "center",
          flexWrap: "wrap",
          bgcolor: "background.paper",
          borderTop: 1,
          borderColor: "divider",
          px: 2,
        }}
      >
        {failure && (
          <Alert severity="error" sx={{ flex: "1 1 100%" }}>
            {failure}
          </Alert>
        )}
        <Typography role="status" color="textSecondary" sx={{ flex: 1 }}>
          {formState.isDirty && !formState.isSubmitting ? "You have unsaved changes." : ""}
        </Typography>
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
      </Box>
      <Confirm
        isOpen={asking.length > 0}
        title="Delete older data?"
        content={shortenedWords(asking, watch())}
        confirm="Save and delete"
        confirmColor="warning"
        onConfirm={answers.confirm}
        onClose={answers.cancel}
      />
      {dialog}
    </Box>
  );
}
