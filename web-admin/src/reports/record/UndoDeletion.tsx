import Button from "@mui/material/Button";
import { UNDO_DELETION } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";

/** Brings a deleted report back that is not erased yet. */
export function UndoDeletion({
  id,
  onUndone,
}: {
  readonly id: string;
  readonly onUndone: () => void;
}) {
  const sender = useCommand(id);
  const undo = async () => {
    if (await sender.run(UNDO_DELETION)) onUndone();
  };
  return (
    <Button variant="contained" disabled={sender.running !== undefined} onClick={() => void undo()}>
      Undo deletion
    </Button>
  );
}
