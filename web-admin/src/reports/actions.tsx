import CheckIcon from "@mui/icons-material/Check";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import VerifyIcon from "@mui/icons-material/MarkEmailReadOutlined";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { CommandDialog, useClaimQuestion } from "../commands/CommandDialog.tsx";
import { type PageCommand, ROW_COMMANDS } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { personName } from "../record/record-fields.ts";
import { focusNext, rowMark } from "../shared/focus-next.ts";

type Command = PageCommand & { readonly name: keyof typeof ROW_COMMANDS };
const COMMANDS: readonly Command[] = Object.values(ROW_COMMANDS);
const ICONS = { verify: VerifyIcon, approve: CheckIcon, delete: DeleteIcon } as const;

/**
 * Approve and delete for a pending report, verify for an unverified one; none for one that concerns the moderator.
 */
export function RowActions({ report }: { readonly report: AdminReport }) {
  return report.own ? <ConcernsYou /> : <Actions report={report} />;
}

/** Replaces the actions on a report that another moderator must decide. */
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
  const [asking, setAsking] = useState<Command>();
  const [isChecking, setIsChecking] = useState(false);
  const sender = useCommand(report.id, report);
  const taken = useClaimQuestion(report.id);
  const running = isChecking || sender.running !== undefined;
  const name = personName(report);
  const send = async (command: Command, answer?: object) => {
    if (running) return;
    // The row may disappear after its command, so the focus moves to the next row.
    const moveFocus = focusNext(command.name, report.id);
    setIsChecking(true);
    // Asks first if another moderator has the report.
    const goesOn = await taken.confirmIfClaimed();
    setIsChecking(false);
    const isDone = goesOn && (await sender.run(command, answer));
    if (isDone || !goesOn) setAsking(undefined);
    if (isDone || !command.asks) requestAnimationFrame(moveFocus);
  };
  return (
    <Box sx={{ display: "flex", justifyContent: "flex-end" }}>
      {COMMANDS.filter(({ offered }) => offered(report)).map((command) => {
        const { name: kind, label } = command;
        const Icon = ICONS[kind];
        return (
          <Tooltip key={kind} title={label} describeChild>
            <span>
              <IconButton
                {...rowMark(kind, report.id)}
                aria-label={`${label}: ${name}`}
                color="primary"
                loading={sender.running === command}
                disabled={running}
                onClick={() => {
                  sender.reset();
                  if (command.asks) setAsking(command);
                  else void send(command);
                }}
                sx={{ width: { xs: 44, md: 28 }, height: { xs: 44, md: 28 } }}
              >
                <Icon fontSize="small" />
              </IconButton>
            </span>
          </Tooltip>
        );
      })}
      {asking?.offered(report) && (
        <CommandDialog
          command={asking}
          report={report}
          name={name}
          sender={isChecking ? { ...sender, running: asking } : sender}
          onClose={() => setAsking(undefined)}
          onConfirm={(answer) => void send(asking, answer)}
        />
      )}
      {taken.question}
    </Box>
  );
}
