import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { FormDialog } from "../../shared/FormDialog.tsx";
import { KeyHint } from "../../shared/KeyHint.tsx";
import { useShortcuts } from "../../shared/use-shortcuts.ts";
import { maskBody } from "../commands/mask-body.ts";
import { PAGE_COMMANDS, RESTORE } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import type { ShownReport } from "../record/record-fields.ts";
import { useReport } from "../record/use-report.ts";

const { mask } = PAGE_COMMANDS;

/**
 * Restores a version of the report, after asking, and masks its selected text, or else all that looks private until
 * then. It is offered once it is known that the report does not concern the moderator.
 */
export function VersionActions({
  id,
  at,
  isLast,
  shown,
}: {
  readonly id: string;
  /** The revision. */
  readonly at: number;
  /** The present version is not restored. */
  readonly isLast: boolean;
  /** The report as of the revision; undefined where nothing of it is left. */
  readonly shown: ShownReport | undefined;
}) {
  const [asks, setAsks] = useState(false);
  const navigate = useNavigate();
  const sender = useCommand(id);
  const { data: report } = useReport(id, true);
  const running = sender.running !== undefined;
  const isOffered = report !== undefined && !report.own;
  const send = () => {
    const body = maskBody({ ...shown, revision: at }, window.getSelection()?.toString() ?? "");
    void sender.run(mask, body);
  };
  const shortcuts = useShortcuts(
    isOffered && shown && !running ? { [mask.key.toLowerCase()]: send } : {},
  );
  const restore = async () => {
    if (await sender.run(RESTORE, { revision: at })) navigate("?");
  };
  if (report?.own && !isLast) return <Typography color="textSecondary">{OWN_REPORT}</Typography>;
  if (!isOffered) return null;
  return (
    <>
      {!isLast && (
        <Button variant="outlined" onClick={() => setAsks(true)}>
          Restore this version…
        </Button>
      )}
      {shown && (
        <Button
          variant="outlined"
          loading={sender.running === mask}
          onClick={send}
          aria-keyshortcuts={shortcuts.enabled ? mask.key : undefined}
          endIcon={shortcuts.enabled && <KeyHint>{mask.key}</KeyHint>}
        >
          {mask.label}
        </Button>
      )}
      {asks && (
        <FormDialog
          title={`Restore revision ${at}?`}
          consequence={`Restores the text of revision ${at}, also on the public page. The status, the verification and the reporter's address stay as they are. The current text stays in the history and can be restored too.`}
          confirm="Restore version"
          running={running}
          failure={sender.failure}
          onSubmit={() => void restore()}
          onClose={() => {
            setAsks(false);
            sender.reset();
          }}
        />
      )}
    </>
  );
}
