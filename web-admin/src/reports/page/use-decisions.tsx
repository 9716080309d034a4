import { type ReactNode, type RefCallback, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { paths } from "../../config/paths.ts";
import type { Shortcuts } from "../../shared/use-shortcuts.ts";
import { CommandDialog } from "../commands/CommandDialog.tsx";
import { PAGE_COMMANDS, type PageCommand } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { useTakenQuestion } from "../commands/use-taken-question.tsx";
import { personName } from "../record/person-name.ts";

const COMMANDS: readonly PageCommand[] = Object.values(PAGE_COMMANDS);

/** Nothing is offered about a report that concerns the moderator: the server would refuse it. */
function isOffered(command: PageCommand, report: AdminReportDetail): boolean {
  return !report.own && command.offered(report);
}

export interface Decisions {
  /** The commands that the report allows now, the most likely first. */
  readonly offered: readonly PageCommand[];
  /** Those that the page shows apart. */
  readonly apart: readonly PageCommand[];
  /** Sends the command, or asks first for what it needs. */
  readonly decide: (command: PageCommand) => void;
  /** The command that runs now, so that its button shows it. */
  readonly busy: object | undefined;
  /** For the button of a command. */
  readonly buttonRef: (command: PageCommand) => RefCallback<HTMLElement>;
  readonly shortcuts: Shortcuts;
  /** The open confirmation, to be placed anywhere in the page. */
  readonly dialog: ReactNode;
}

/**
 * The commands of a report's page.
 * @param onDecided called when a decision is done and the page is up to date.
 * @param opened values of the report that the moderator revealed.
 */
export function useDecisions(
  report: AdminReportDetail,
  onDecided: () => void,
  opened: object = {},
): Decisions {
  const navigate = useNavigate();
  const sender = useCommand(report.id, report);
  const taken = useTakenQuestion(report.id);
  const isChecking = useRef(false);
  const [asking, setAsking] = useState<PageCommand>();
  const [decided, setDecided] = useState(0);
  const tell = useRef(onDecided);
  tell.current = onDecided;
  const buttons = useRef(new Map<PageCommand, HTMLElement | null>());
  // After the commit: a dialog that closes gives the focus back first.
  useEffect(() => {
    if (decided > 0) tell.current();
  }, [decided]);
  // Somebody else has already rejected the report, so the dialog closes.
  useEffect(() => {
    setAsking((command) => (command && isOffered(command, report) ? command : undefined));
  }, [report]);

  async function send(command: PageCommand, answer?: object): Promise<void> {
    if (isChecking.current) return;
    isChecking.current = true;
    const goesOn = await taken.mayGoOn();
    isChecking.current = false;
    if (!goesOn || !(await sender.run(command, answer))) return;
    if (command.afterwards === "leave") {
      navigate(paths.reports);
      return;
    }
    setAsking(undefined);
    if (command.afterwards === "next") setDecided((n) => n + 1);
  }
  function decide(command: PageCommand): void {
    if (sender.running) return;
    if (!command.asks) return void send(command, command.bodyOf?.({ ...report, ...opened }));
    sender.reset();
    setAsking(command);
  }
  function press(command: PageCommand): void {
    if (command.focusedByKey) buttons.current.get(command)?.focus();
    else if (isOffered(command, report)) decide(command);
  }
  const offered = COMMANDS.filter((command) => isOffered(command, report));
  return {
    offered: offered.filter(({ isApart }) => !isApart),
    apart: offered.filter(({ isApart }) => isApart),
    busy: sender.running,
    decide,
    buttonRef: (command) => (button) => void buttons.current.set(command, button),
    shortcuts: Object.fromEntries(
      COMMANDS.flatMap((command) =>
        command.key ? [[command.key.toLowerCase(), () => press(command)]] : [],
      ),
    ),
    dialog: (
      <>
        {asking && (
          <CommandDialog
            key={asking.label}
            command={asking}
            report={report}
            name={personName(report)}
            sender={sender}
            onConfirm={(answer) => void send(asking, answer)}
            onClose={() => setAsking(undefined)}
          />
        )}
        {taken.question}
        {sender.dialog}
      </>
    ),
  };
}
