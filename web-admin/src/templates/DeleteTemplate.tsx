import type { TemplateItem } from "#contracts/http/admin-templates.ts";
import { StepDialog } from "../shared/StepDialog.tsx";
import { stepWords } from "./template-words.ts";
import { useTemplateCommands } from "./use-template-commands.ts";

/** Asks whether to delete a template of the list, and deletes it. */
export function DeleteTemplate({
  template: { kind, id, name, revision },
  onClose,
}: {
  readonly template: TemplateItem;
  readonly onClose: () => void;
}) {
  const commands = useTemplateCommands();
  async function remove() {
    const { state } = await commands.send("delete", kind, id, { revision });
    if (state === "done") onClose();
  }
  return (
    <>
      <StepDialog
        step={stepWords("delete", kind)}
        name={name}
        isFinal
        running={commands.running !== undefined}
        failure={commands.failure}
        onConfirm={() => void remove()}
        onClose={onClose}
      />
      {commands.dialog}
    </>
  );
}
