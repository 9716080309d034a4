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
import { CommandDialog, useClaimQuestion } from "../commands/CommandDialog.tsx";
import { isOpen, PAGE_COMMANDS, type PageCommand } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { paths } from "../config/paths.ts";
import { useShownReport } from "../record/OpenReport.tsx";
import { personName } from "../record/record-fields.ts";
import { keepDraft } from "../shared/AskDialog.tsx";
import { Key } from "../shared/parts.tsx";
import { useOffered } from "../shared/reads.ts";
import { useShortcuts } from "../shared/use-shortcuts.ts";

/** An action on a report's page. Buttons, menu, shortcuts and the list of shortcuts are derived from it. */
export interface Action {
  readonly label: string;
  /** Uppercase. */
  readonly key?: string | undefined;
  /**
   * `main`: the decisions, and what moves on to the next report; `more`: below them; `change`: decisions that change
   * an earlier one, in a menu and without keys; `key`: only a shortcut, for what has its own place on the page.
   */
  readonly place: "main" | "more" | "change" | "key";
  readonly isApart?: boolean;
  /** Path in the console, instead of `run`. `href` is a URL outside of it. */
  readonly to?: string;
  readonly href?: string;
  readonly run?: () => void;
  readonly busy?: boolean;
}

/** An action, or a falsy value if it is not offered now. */
export type Offered = Action | false | "" | null | undefined;

/** A rejection without a dialog. */
const { asks: _, ...DUPLICATE } = PAGE_COMMANDS.reject;

export interface QueueTurn {
  /** Whether the report is still reserved for this moderator, so no question about other moderators is needed. */
  readonly isMine: () => boolean;
  /** Called when a decision is sent, so that the next report can be claimed in the meantime. */
  readonly onDeciding: () => void;
  readonly onKept: () => void;
  readonly onDecided: () => void;
}

export type Actions = ReturnType<typeof useActions>;

/** Shows the next report. */
export const NEXT_KEY = "J";

const COMMANDS: readonly PageCommand[] = Object.values(PAGE_COMMANDS);
const DECIDES: readonly PageCommand[] = [
  PAGE_COMMANDS.approve,
  PAGE_COMMANDS.reject,
  PAGE_COMMANDS.review,
  PAGE_COMMANDS.reopen,
];

/** The available actions for the report on the page, and the dialogs that they open. */
export function useActions({
  opened = {},
  queue,
  others,
}: {
  /** Values that the moderator revealed. */
  readonly opened?: object | undefined;
  /** Absent on a report's own page, where the focus moves to the button for the next report after a decision. */
  readonly queue?: QueueTurn | undefined;
  readonly others: readonly Offered[];
}) {
  const report = useShownReport();
  const { id, own, status } = report;
  const navigate = useNavigate();
  const sender = useCommand(id, report, queue !== undefined);
  const taken = useClaimQuestion(id);
  const [duplicate] = useOffered(["duplicate"]);
  /** The command being sent. In the queue, it stays set once the report is decided. */
  const [sent, setSent] = useState<PageCommand>();
  /** Like `sent`, but set before the next render, for keys pressed sooner. */
  const isSending = useRef(false);
  const [asking, setAsking] = useState<PageCommand>();
  const [decided, setDecided] = useState(0);
  const [areKeysShown, setKeysShown] = useState(false);
  const leading = useRef<HTMLButtonElement>(null);
  /** Nothing is offered for a report that concerns the moderator: the server would reject it. */
  const isOffered = (command: PageCommand) => !own && command.offered(report);
  // If someone else has already rejected the report, the dialog closes.
  const asked = asking && isOffered(asking) ? asking : undefined;

  async function send(command: PageCommand, answer?: object): Promise<void> {
    if (isSending.current) return;
    mark(command);
    const goesOn = queue?.isMine() || (await taken.confirmIfClaimed());
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
  // After the commit: a closing dialog restores the focus first.
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
    /** Whether a command is running or the page is about to leave a decided report: other actions are disabled. */
    busy,
    leading,
    hasKeys: shortcuts.enabled,
    showKeys: () => setKeysShown(true),
    /** Rejects the report as a duplicate of another; undefined if not possible. */
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
