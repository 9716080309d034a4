import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { CommandDialog, useTakenQuestion } from "../commands/CommandDialog.tsx";
import { isOpen, PAGE_COMMANDS, type PageCommand } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { paths } from "../config/paths.ts";
import { useShownReport } from "../record/OpenReport.tsx";
import { personName } from "../record/record-fields.ts";
import { keepDraft } from "../shared/AskDialog.tsx";
import { Key } from "../shared/parts.tsx";
import { useOffered } from "../shared/reads.ts";
import { useShortcuts } from "../shared/use-shortcuts.ts";

/** Something that can be done on a report's page. Buttons, menu, keys and the list of keys derive from it. */
export interface Action {
  readonly label: string;
  /** In upper case. */
  readonly key?: string | undefined;
  /**
   * `main`: the decisions, and what leads on; `more`: below them; `change`: decisions about what is decided, behind
   * a menu and without keys; `key`: only a key, for what has its own place on the page.
   */
  readonly place: "main" | "more" | "change" | "key";
  readonly isApart?: boolean;
  /** Path in the console, or address outside it, in place of `run`. */
  readonly to?: string;
  readonly href?: string;
  readonly run?: () => void;
  readonly busy?: boolean;
}

/** An action, or nothing where it is not offered now. */
export type Offered = Action | false | "" | null | undefined;

/** A rejection that asks nothing. */
const { asks: _, ...DUPLICATE } = PAGE_COMMANDS.reject;

/** A report's turn in the queue. */
export interface QueueTurn {
  /** Whether nobody else can have the report now, so that nobody has to be asked. */
  readonly isMine: () => boolean;
  /** Told when a decision is sent: the next report is taken meanwhile. */
  readonly onDeciding: () => void;
  readonly onKept: () => void;
  readonly onDecided: () => void;
}

export type Actions = ReturnType<typeof useActions>;

/** Shows the report that comes next. */
export const NEXT_KEY = "J";

const COMMANDS: readonly PageCommand[] = Object.values(PAGE_COMMANDS);
const DECIDES: readonly PageCommand[] = [
  PAGE_COMMANDS.approve,
  PAGE_COMMANDS.reject,
  PAGE_COMMANDS.review,
  PAGE_COMMANDS.reopen,
];

/** What can be done with the report on the page, and the dialogs that this opens. */
export function useActions({
  opened = {},
  queue,
  others,
}: {
  /** Values of the report that the moderator revealed. */
  readonly opened?: object | undefined;
  /** Absent on a page of its own, where the focus then goes to what leads on. */
  readonly queue?: QueueTurn | undefined;
  readonly others: readonly Offered[];
}) {
  const report = useShownReport();
  const { id, own, status } = report;
  const navigate = useNavigate();
  const sender = useCommand(id, report, queue !== undefined);
  const taken = useTakenQuestion(id);
  const [duplicate] = useOffered(["duplicate"]);
  /** What is sent. In the queue it stays so once the report is decided. */
  const [sent, setSent] = useState<PageCommand>();
  /** The same before the next render, for keys that come sooner. */
  const isSending = useRef(false);
  const [asking, setAsking] = useState<PageCommand>();
  const [decided, setDecided] = useState(0);
  const [areKeysShown, setKeysShown] = useState(false);
  const leading = useRef<HTMLButtonElement>(null);
  /** Nothing is offered about a report that concerns the moderator: the server would refuse it. */
  const isOffered = (command: PageCommand) => !own && command.offered(report);
  // Somebody else has already rejected the report, so the dialog closes.
  const asked = asking && isOffered(asking) ? asking : undefined;

  async function send(command: PageCommand, answer?: object): Promise<void> {
    if (isSending.current) return;
    mark(command);
    const goesOn = queue?.isMine() || (await taken.mayGoOn());
    const leadsOn = command.afterwards === "next";
    if (!goesOn) setAsking(undefined);
    else if (leadsOn) queue?.onDeciding();
    const isDone = goesOn && (await sender.run(command, answer));
    if (goesOn && leadsOn && !isDone) queue?.onKept();
    const isDecided = isDone && leadsOn;
    if (!isDecided || !queue) mark(undefined);
    if (!isDone) return;
    keepDraft(`${id} ${command.label}`, "");
    if (command.afterwards === "leave") return void navigate(paths.reports);
    setAsking(undefined);
    if (isDecided) setDecided((n) => n + 1);
  }
  function mark(command: PageCommand | undefined): void {
    isSending.current = command !== undefined;
    setSent(command);
  }
  const busy = sent !== undefined || sender.running !== undefined;
  const whenFree = (run: () => void) => () => {
    if (!busy && !isSending.current) run();
  };
  function decide(command: PageCommand): void {
    if (!command.asks) return void send(command, command.bodyOf?.({ ...report, ...opened }));
    sender.reset();
    setAsking(command);
  }
  const commands = COMMANDS.filter(isOffered).map((command): Action => {
    const { label, key, isApart = false } = command;
    const decides = DECIDES.includes(command);
    return {
      label,
      isApart,
      busy: sent === command,
      run: () => decide(command),
      ...(decides && !isOpen(status)
        ? { place: "change" }
        : { place: decides ? "main" : "more", key }),
    };
  });
  const links: readonly Offered[] = [
    !own && { label: "Edit", key: "W", place: "more", to: paths.reportEdit(id) },
    { label: "History", key: "H", place: "more", to: paths.reportHistory(id) },
    status === "approved" &&
      report.seo_title && {
        label: "Public page",
        place: "more",
        href: `/report/${encodeURIComponent(report.seo_title)}`,
      },
  ];
  const actions = [...commands, ...others, ...links]
    .filter((each) => !!each)
    .map((action): Action => (action.run ? { ...action, run: whenFree(action.run) } : action))
    .toSorted((a, b) => Number(a.isApart ?? false) - Number(b.isApart ?? false));
  // After the commit: a dialog that closes gives the focus back first.
  const leadOn = useEffectEvent(() => {
    if (queue) queue.onDecided();
    else leading.current?.focus();
  });
  useEffect(() => {
    if (decided > 0) leadOn();
  }, [decided]);
  const press = ({ run, to }: Action) => (to ? void navigate(to) : run?.());
  const shortcuts = useShortcuts({
    ...Object.fromEntries(
      actions.flatMap((action) =>
        action.key ? [[action.key.toLowerCase(), whenFree(() => press(action))]] : [],
      ),
    ),
    "?": whenFree(() => setKeysShown(true)),
  });
  return {
    actions,
    /** Whether a command runs, or the report is decided and about to be left: nothing else is done meanwhile. */
    busy,
    leading,
    hasKeys: shortcuts.enabled,
    showKeys: () => setKeysShown(true),
    /** Rejects the report as a duplicate of that one; undefined where it cannot be. */
    rejectAs:
      duplicate && !busy && isOpen(status) && isOffered(PAGE_COMMANDS.reject)
        ? (other: string) => void send(DUPLICATE, { reason_code: duplicate, duplicate_of: other })
        : undefined,
    dialog: (
      <>
        {asked && (
          <CommandDialog
            key={asked.label}
            command={asked}
            report={report}
            name={personName(report)}
            sender={sender}
            hasKeys={shortcuts.enabled}
            onConfirm={(answer) => void send(asked, answer)}
            onClose={() => setAsking(undefined)}
          />
        )}
        {areKeysShown && (
          <KeysDialog actions={actions} shortcuts={shortcuts} onClose={() => setKeysShown(false)} />
        )}
        {taken.question}
      </>
    ),
  };
}

const ALWAYS = [
  ["Z", "Undo the last decision, for 60 seconds"],
  ["Ctrl Enter", "Submit"],
  ["?", "Show these keys"],
] as const;

function KeysDialog(props: {
  readonly actions: readonly Action[];
  readonly shortcuts: ReturnType<typeof useShortcuts>;
  readonly onClose: () => void;
}) {
  const { actions, shortcuts, onClose } = props;
  const rows = [
    ...actions.flatMap(({ key, label }) => (key ? [[key, label.replace("…", "")] as const] : [])),
    ["Enter", "Confirm"],
    ...ALWAYS,
  ];
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth>
      <DialogTitle>Keyboard shortcuts</DialogTitle>
      <DialogContent>
        <Box
          component="dl"
          sx={{
            display: "grid",
            gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" },
            columnGap: 4,
            rowGap: 1,
            "& div": { display: "flex", alignItems: "center", gap: 2 },
            "& dt": { flex: "0 0 88px", display: "flex", gap: 0.5 },
          }}
        >
          {rows.map(([keys, what]) => (
            <div key={keys}>
              <dt>
                {keys.split(" ").map((key) => (
                  <Key key={key}>{key}</Key>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </Box>
      </DialogContent>
      <DialogActions sx={{ justifyContent: "space-between" }}>
        <FormControlLabel
          control={
            <Switch
              checked={shortcuts.enabled}
              onChange={(_event, enabled) => shortcuts.setEnabled(enabled)}
            />
          }
          label="Keyboard shortcuts"
          sx={{ m: 0, gap: 1 }}
        />
        <Button variant="contained" autoFocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
