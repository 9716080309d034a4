import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import type { Queue, TakenByOther } from "#contracts/http/queue.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { takenWords } from "./taken-words.ts";

/** Asks before a report is decided that another moderator has at the moment. */
export function TakenDialog({
  taken,
  onAnswer,
}: {
  readonly taken: TakenByOther;
  readonly onAnswer: (goOn: boolean) => void;
}) {
  return (
    <Dialog open onClose={() => onAnswer(false)} maxWidth="xs" fullWidth>
      <DialogTitle>Decide it all the same?</DialogTitle>
      <DialogContent>
        <DialogContentText>
          {takenWords(taken)} Whoever decides second is told that it was decided already.
        </DialogContentText>
      </DialogContent>
      <DialogActions sx={{ p: 2 }}>
        <Button autoFocus onClick={() => onAnswer(false)}>
          Leave it
        </Button>
        <Button variant="contained" onClick={() => onAnswer(true)}>
          Decide it
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Milliseconds until the queue is read again while another moderator has the report. */
const AGAIN_MS = 10_000;

/** Says that another moderator has the report at the moment; nothing when nobody has. */
export function TakenNotice({ reportId }: { readonly reportId: string }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const takenOf = (queue: Queue | undefined) =>
    queue?.taken.find(({ report_id }) => report_id === reportId);
  const { data } = useQuery({
    queryKey: ["queue"],
    queryFn: () => provider.queue(),
    retry: false,
    gcTime: 0,
    // A report that is taken and left within a second is not among the changes.
    refetchInterval: ({ state }) => (takenOf(state.data) ? AGAIN_MS : false),
  });
  const taken = takenOf(data);
  if (!taken) return null;
  return <Alert severity="info">{takenWords(taken)}</Alert>;
}
