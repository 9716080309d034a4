import CheckIcon from "@mui/icons-material/Check";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import VerifyIcon from "@mui/icons-material/MarkEmailReadOutlined";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { type ReactNode, useState } from "react";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { focusNext, rowMark } from "../../shared/focus-next.ts";
import { CommandDialog } from "../commands/CommandDialog.tsx";
import { type PageCommand, ROW_COMMANDS } from "../commands/report-commands.ts";
import { useTakenQuestion } from "../commands/TakenByOther.tsx";
import { useCommand } from "../commands/use-command.ts";
import { personName } from "../record/person-name.ts";

/**
 * Approve and delete for a pending report, verify for an unverified one; nothing for one that concerns the
 * moderator.
 */
export function RowActions({ report }: { readonly report: AdminReport }) {
  return report.own ? <ConcernsYou /> : <Actions report={report} />;
}

/** Instead of what somebody else has to do. */
export function ConcernsYou() {
  return (
    <Tooltip title={OWN_REPORT} describeChild>
      <Typography component="span" color="textSecondary" tabIndex={0}>
        Concerns you
      </Typography>
    </Tooltip>
  );
}

function Actions({ report }: { readonly report: AdminReport }) {
  const [deleting, setDeleting] = useState(false);
  const [isChecking, setIsChecking] = useState(false);
  const sender = useCommand(report.id, report);
  const taken = useTakenQuestion(report.id);
  const running = isChecking || sender.running !== undefined;
  /** Asks first where another moderator has the report. */
  const send = async (command: PageCommand, answer?: object): Promise<boolean> => {
    setIsChecking(true);
    const goesOn = await taken.mayGoOn();
    setIsChecking(false);
    return goesOn && sender.run(command, answer);
  };
  const name = personName(report);
  const pending = report.status === "pending";
  return (
    <Box sx={{ display: "flex", justifyContent: "flex-end" }}>
      {!report.verified && (
        <Action
          label={`Verify email manually: ${name}`}
          tip="Verify email manually"
          busy={sender.running === ROW_COMMANDS.verify}
          disabled={running}
          mark={rowMark("verify", report.id)}
          onClick={() =>
            void thenNext(() => send(ROW_COMMANDS.verify), focusNext("verify", report.id))
          }
        >
          <VerifyIcon fontSize="small" />
        </Action>
      )}
      {pending && (
        <Action
          label={`Approve: ${name}`}
          tip="Approve"
          busy={sender.running === ROW_COMMANDS.approve}
          disabled={running}
          mark={rowMark("approve", report.id)}
          onClick={() =>
            void thenNext(() => send(ROW_COMMANDS.approve), focusNext("approve", report.id))
          }
        >
          <CheckIcon fontSize="small" />
        </Action>
      )}
      {pending && (
        <Action
          label={`Delete: ${name}`}
          tip="Delete"
          busy={sender.running === ROW_COMMANDS.delete}
          disabled={running}
          mark={rowMark("delete", report.id)}
          onClick={() => {
            sender.reset();
            setDeleting(true);
          }}
        >
          <DeleteIcon fontSize="small" />
        </Action>
      )}
      {deleting && (
        <CommandDialog
          command={ROW_COMMANDS.delete}
          report={report}
          name={name}
          sender={sender}
          onClose={() => setDeleting(false)}
          onConfirm={async (answer) => {
            const moveFocus = focusNext("delete", report.id);
            if (!(await send(ROW_COMMANDS.delete, answer))) return;
            setDeleting(false);
            requestAnimationFrame(moveFocus);
          }}
        />
      )}
      {taken.question}
      {sender.dialog}
    </Box>
  );
}

/** A row may disappear after its command, so the keyboard focus moves to the next row. */
async function thenNext(run: () => Promise<boolean>, moveFocus: () => void): Promise<void> {
  await run();
  requestAnimationFrame(moveFocus);
}

interface ActionProps {
  readonly label: string;
  readonly tip: string;
  readonly busy: boolean;
  readonly mark: ReturnType<typeof rowMark>;
  readonly disabled: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Action({ label, tip, busy, mark, disabled, onClick, children }: ActionProps) {
  return (
    <Tooltip title={tip} describeChild>
      <span>
        <IconButton
          {...mark}
          aria-label={label}
          color="primary"
          loading={busy}
          disabled={disabled}
          onClick={onClick}
          sx={{ width: { xs: 44, md: 28 }, height: { xs: 44, md: 28 } }}
        >
          {children}
        </IconButton>
      </span>
    </Tooltip>
  );
}
