import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useGetIdentity } from "react-admin";
import { isImmediate } from "#contracts/report/reporter-rules.ts";
import { FormDialog } from "../shared/AskDialog.tsx";
import { focusNext, rowMark } from "../shared/focus-next.ts";
import {
  APPROVE_DELETION,
  type ConsoleCommand,
  ERASE_NOW,
  REFUSE_DELETION,
  UNDO_DELETION,
} from "./report-commands.ts";
import { useCommand } from "./use-command.ts";

interface Step {
  readonly words: string;
  readonly command: ConsoleCommand;
  readonly answer?: object;
}

/** What an admin can do about a deletion that can still be undone or awaits another admin. */
export function DeletionSteps(props: {
  readonly id: string;
  /** Name of the reported person; absent on a page that already shows it. */
  readonly name?: string;
  /** The account that deleted the report or requested its deletion. */
  readonly by: string | undefined;
  readonly reasonCode: string;
  readonly isHidden: boolean;
  /** Called when the report's state has changed. @param isHidden whether it is now deleted. */
  readonly onDone?: (isHidden: boolean) => void;
}) {
  const { id, name = "", by, reasonCode, isHidden, onDone } = props;
  const { identity } = useGetIdentity();
  const sender = useCommand(id);
  const [isErasing, setErasing] = useState(false);
  // The server checks again; actions that it would reject are not offered.
  const isOwn = by === String(identity?.id);
  const body = { reason_code: reasonCode };
  async function send(command: ConsoleCommand, answer: object) {
    const moveFocus = focusNext("settle", id);
    if (!(await sender.run(command, answer))) return;
    setErasing(false);
    // In a list, the row is gone.
    moveFocus();
    onDone?.(command.name === "delete");
  }
  const label = (words: string) => (name ? { "aria-label": `${words}: ${name}` } : {});
  const steps: readonly Step[] = isHidden
    ? [{ words: "Undo deletion", command: UNDO_DELETION }]
    : isOwn
      ? [{ words: "Withdraw", command: REFUSE_DELETION }]
      : [
          { words: "Approve deletion", command: APPROVE_DELETION, answer: body },
          { words: "Refuse", command: REFUSE_DELETION },
        ];
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      {!isHidden && isOwn && name && (
        <Typography color="textSecondary">Another admin has to approve this.</Typography>
      )}
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
        {steps.map(({ words, command, answer = {} }, index) => (
          <Button
            key={words}
            variant="outlined"
            {...label(words)}
            {...(index === 0 ? rowMark("settle", id) : {})}
            disabled={sender.running !== undefined}
            loading={sender.running === command}
            onClick={() => void send(command, answer)}
          >
            {words}
          </Button>
        ))}
        {isHidden && !isOwn && isImmediate(reasonCode) && (
          <Button
            color="warning"
            {...label("Erase now…")}
            onClick={() => {
              sender.reset();
              setErasing(true);
            }}
          >
            Erase now…
          </Button>
        )}
      </Box>
      {isErasing && (
        <FormDialog
          title={`Erase ${name ? `the report about ${name}` : "this report"} now?`}
          consequence="As a second admin, you can have it erased immediately. Everything it says about the person and the reporter is destroyed for good. This can't be undone."
          confirm="Erase now"
          isFinal
          running={sender.running !== undefined}
          failure={sender.failure}
          onSubmit={() => void send(ERASE_NOW, body)}
          onClose={() => setErasing(false)}
        />
      )}
    </Box>
  );
}
