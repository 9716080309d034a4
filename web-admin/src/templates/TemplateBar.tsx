import Button from "@mui/material/Button";
import type { TemplateCommandName } from "#contracts/http/admin-templates.ts";
import type { TemplateKind, TemplateStatus } from "#contracts/mail/template-kinds.ts";
import { ActionBar } from "../shared/ActionBar.tsx";
import { type StepName, standingText, stepWords } from "./template-words.ts";

/** What can be done with a template's words, always in sight. */
export function TemplateBar(props: {
  /** Id of the form that the last button sends. */
  readonly form: string;
  readonly kind: TemplateKind;
  readonly status: TemplateStatus;
  readonly isDirty: boolean;
  /** Something runs, or somebody else changed the template: that is settled first. */
  readonly isBusy: boolean;
  readonly running: TemplateCommandName | undefined;
  readonly failure: string | undefined;
  readonly onDiscard: () => void;
  readonly onTest: () => void;
  readonly onStep: (step: StepName) => void;
}) {
  const { form, kind, status, isDirty, isBusy, running, failure, onDiscard, onTest, onStep } =
    props;
  const step = status === "active" ? "deactivate" : "activate";
  return (
    <ActionBar failure={failure} standing={standingText(status, isDirty)}>
      {isDirty ? (
        <Button onClick={onDiscard} disabled={isBusy}>
          Discard changes
        </Button>
      ) : (
        // Both are about what is saved.
        <>
          <Button
            variant="outlined"
            onClick={onTest}
            disabled={isBusy}
            loading={running === "test"}
          >
            Test mail
          </Button>
          <Button
            variant={status === "active" ? "outlined" : "contained"}
            disabled={isBusy}
            onClick={() => onStep(step)}
          >
            {stepWords(step, kind).label}
          </Button>
        </>
      )}
      <Button
        type="submit"
        form={form}
        variant={isDirty ? "contained" : "outlined"}
        loading={running === "edit"}
        disabled={!isDirty || isBusy}
      >
        Save
      </Button>
    </ActionBar>
  );
}
