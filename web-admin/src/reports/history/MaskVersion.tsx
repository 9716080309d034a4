import Button from "@mui/material/Button";
import { KeyHint } from "../../shared/KeyHint.tsx";
import { useShortcuts } from "../../shared/use-shortcuts.ts";
import { maskBody } from "../commands/mask-body.ts";
import { PAGE_COMMANDS } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import type { ShownReport } from "../record/record-fields.ts";
import { useReport } from "../record/use-report.ts";

const { mask } = PAGE_COMMANDS;

export interface MaskVersionProps {
  readonly id: string;
  /** The report as of the revision. */
  readonly shown: ShownReport & { readonly revision: number };
}

/**
 * Masks the selected text of an earlier version, or else all that looks private until then. It is offered once
 * it is known that the report does not concern the moderator.
 */
export function MaskVersion({ id, shown }: MaskVersionProps) {
  const sender = useCommand(id);
  const { data: report } = useReport(id, true);
  const isOffered = report !== undefined && !report.own;
  const send = () =>
    void sender.run(mask, maskBody(shown, window.getSelection()?.toString() ?? ""));
  const shortcuts = useShortcuts(
    isOffered && !sender.running ? { [mask.key.toLowerCase()]: send } : {},
  );
  if (!isOffered) return null;
  return (
    <Button
      variant="outlined"
      loading={sender.running !== undefined}
      onClick={send}
      aria-keyshortcuts={shortcuts.enabled ? mask.key : undefined}
      endIcon={shortcuts.enabled ? <KeyHint>{mask.key}</KeyHint> : undefined}
    >
      {mask.label}
    </Button>
  );
}
