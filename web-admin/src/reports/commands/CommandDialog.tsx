import type { AdminReport } from "#contracts/http/report-view.ts";
import { REJECTION_REASONS } from "#contracts/report/words.ts";
import { AskDialog, type Typed } from "../../shared/AskDialog.tsx";
import type { FormField } from "../../shared/fields.tsx";
import { useOffered, useSettings } from "../../shared/use-settings.ts";
import type { PageCommand, Question } from "./report-commands.ts";
import type { CommandSender } from "./use-command.ts";

/** The dialog of a command with a question. */
export function CommandDialog({
  command,
  report,
  name,
  sender,
  hasKeys = false,
  onConfirm,
  onClose,
}: {
  readonly command: PageCommand;
  readonly report: AdminReport;
  /** Whose report it is. */
  readonly name: string;
  readonly sender: CommandSender;
  readonly hasKeys?: boolean;
  readonly onConfirm: (answer: object) => void;
  readonly onClose: () => void;
}) {
  const { title, consequence, fields, ...words } = command.asks as Question;
  const { data: settings } = useSettings();
  return (
    <AskDialog
      {...words}
      title={title(name)}
      consequence={consequence(report, settings?.eraseHours)}
      fields={useOfferedFields(fields, hasKeys)}
      draft={`${report.id} ${command.label}`}
      hasKeys={hasKeys}
      isFinal={command.isApart ?? false}
      running={sender.running !== undefined}
      failure={sender.failure}
      onSend={onConfirm}
      onClose={onClose}
    />
  );
}

/** The fields of a question, without the reasons for a rejection that admins have turned off. */
export function useOfferedFields(fields: Question["fields"], hasKeys = false) {
  const offered = useOffered(Object.keys(REJECTION_REASONS));
  const words: Readonly<Record<string, string>> = REJECTION_REASONS;
  return (now: Typed): readonly FormField[] =>
    (fields?.(now) ?? []).map((field) =>
      field.isNumbered
        ? {
            ...field,
            choices: Object.fromEntries(offered.map((code) => [code, words[code] ?? code])),
            ...(hasKeys && { help: "A number sends immediately. You can undo it for 60 seconds." }),
          }
        : field,
    );
}
