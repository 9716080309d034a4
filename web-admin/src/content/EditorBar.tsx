import Button from "@mui/material/Button";
import type { ContentCommandName, ContentRecord } from "#contracts/http/content.ts";
import { ActionBar } from "../shared/ActionBar.tsx";
import { type StepName, stepWords } from "./text-words.ts";

/** What can be done with a text, always in sight. */
export function EditorBar(props: {
  /** Id of the form that the first button sends. */
  readonly form: string;
  readonly record: ContentRecord;
  readonly isDirty: boolean;
  readonly steps: readonly StepName[];
  /** Somebody else changed the text: that is settled first. */
  readonly isBlocked: boolean;
  readonly running: ContentCommandName | undefined;
  readonly failure: string | undefined;
  readonly onStep: (step: StepName) => void;
  readonly onDiscard: () => void;
}) {
  const { form, record, isDirty, steps, isBlocked, running, failure, onStep, onDiscard } = props;
  const isBusy = running !== undefined || isBlocked;
  return (
    <ActionBar
      failure={failure}
      standing={isDirty ? "Changes that are not saved" : standing(record)}
    >
      {isDirty && (
        <Button onClick={onDiscard} disabled={isBusy}>
          Discard changes
        </Button>
      )}
      {steps.map((name) => {
        const isPublish = name === "publish";
        // Taking a text back or deleting it would leave what is typed without a place.
        return (
          <Button
            key={name}
            variant={isPublish ? "contained" : "outlined"}
            color={name === "delete" ? "warning" : "primary"}
            disabled={isBusy || (isDirty && !isPublish)}
            onClick={() => onStep(name)}
          >
            {isPublish && isDirty ? "Save and publish" : stepWords(name, record).label}
          </Button>
        );
      })}
      <Button
        type="submit"
        form={form}
        variant="outlined"
        loading={running === "edit"}
        disabled={!isDirty || isBusy}
      >
        Save draft
      </Button>
    </ActionBar>
  );
}

function standing({ status, has_changes }: ContentRecord): string {
  if (status === "draft") return "Saved as a draft";
  return has_changes
    ? "Saved; the site shows what was published before"
    : "On the site as it is here";
}
