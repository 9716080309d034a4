import CheckIcon from "@mui/icons-material/Check";
import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import VerifyIcon from "@mui/icons-material/MarkEmailReadOutlined";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import {
  REPORT_LISTS,
  type ReportFilters,
  type StatusCounts,
} from "#contracts/http/admin-reports.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { CommandDialog, useTakenQuestion } from "../commands/CommandDialog.tsx";
import { type PageCommand, ROW_COMMANDS } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { paths } from "../config/paths.ts";
import { personName } from "../record/record-fields.ts";
import { focusNext, type RowCommand, rowMark } from "../shared/focus-next.ts";
import { formatCount } from "../shared/formats.ts";
import { totalOf } from "../shared/reads.ts";

const isPending = ({ status }: AdminReport) => status === "pending";
interface RowAction {
  readonly command: PageCommand & { readonly name: RowCommand };
  readonly label: string;
  readonly Icon: typeof CheckIcon;
  readonly offered: (report: AdminReport) => boolean;
}
const ACTIONS: readonly RowAction[] = [
  {
    command: ROW_COMMANDS.verify,
    label: ROW_COMMANDS.verify.label,
    Icon: VerifyIcon,
    offered: ROW_COMMANDS.verify.offered,
  },
  { command: ROW_COMMANDS.approve, label: "Approve", Icon: CheckIcon, offered: isPending },
  { command: ROW_COMMANDS.delete, label: "Delete", Icon: DeleteIcon, offered: isPending },
];

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
  const [asking, setAsking] = useState<RowAction["command"]>();
  const [isChecking, setIsChecking] = useState(false);
  const sender = useCommand(report.id, report);
  const taken = useTakenQuestion(report.id);
  const running = isChecking || sender.running !== undefined;
  const name = personName(report);
  const send = async (command: RowAction["command"], answer?: object) => {
    if (running) return;
    // A row may disappear after its command, so the keyboard focus moves to the next row.
    const moveFocus = focusNext(command.name, report.id);
    setIsChecking(true);
    // Asks first where another moderator has the report.
    const goesOn = await taken.mayGoOn();
    setIsChecking(false);
    const isDone = goesOn && (await sender.run(command, answer));
    if (isDone || !goesOn) setAsking(undefined);
    if (isDone || !command.asks) requestAnimationFrame(moveFocus);
  };
  return (
    <Box sx={{ display: "flex", justifyContent: "flex-end" }}>
      {ACTIONS.filter(({ offered }) => offered(report)).map(({ command, label, Icon }) => (
        <Tooltip key={label} title={label} describeChild>
          <span>
            <IconButton
              {...rowMark(command.name, report.id)}
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
      ))}
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

interface StatusTabsProps {
  readonly filter: ReportFilters;
  /** Whether deleted reports are shown, which are on a page of their own. */
  readonly isDeleted?: true;
  readonly counts: StatusCounts | undefined;
  /** Takes what the tab sets, and undefined for what it clears. */
  readonly onChange: (
    tab: {
      readonly [Name in "status" | "asked" | "to_decide" | "verified"]: string | undefined;
    },
  ) => void;
}

type CountName = keyof typeof REPORT_LISTS;
type TabName = "all" | CountName | "deleted";
const TABS: readonly TabName[] = ["all", ...(Object.keys(REPORT_LISTS) as CountName[]), "deleted"];

/** One tab per status, and per kind of waiting, with its number of reports. */
export function StatusTabs({ filter, isDeleted, counts, onChange }: StatusTabsProps) {
  const navigate = useNavigate();
  const shown = tabOf(filter);
  return (
    <Tabs
      // With their numbers they are wider: the chosen one is scrolled into view again.
      key={counts ? "counted" : "names"}
      value={isDeleted ? "deleted" : shown}
      onChange={(_event, value: TabName) => {
        if (value === "deleted") return void navigate(paths.deletedReports);
        // The tab of unconfirmed reports set it, else the menu did.
        const verified = shown === "unconfirmed" ? undefined : filter.verified;
        const none = { status: undefined, asked: undefined, to_decide: undefined };
        onChange({ ...none, verified, ...(value === "all" ? {} : REPORT_LISTS[value].filter) });
      }}
      variant="scrollable"
      aria-label="Reports by status"
      sx={{ borderBottom: 1, borderColor: "divider", px: 1, "& .MuiTab-root": { px: 1 } }}
    >
      {TABS.map((name) => (
        <Tab key={name} value={name} label={labelOf(name, counts)} />
      ))}
    </Tabs>
  );
}

function tabOf({ status, asked, to_decide, verified }: ReportFilters): TabName {
  if (to_decide) return "to_decide";
  if (status === "pending" && verified === "false" && !asked) return "unconfirmed";
  return asked ?? status ?? "all";
}

function labelOf(tab: TabName, counts: StatusCounts | undefined): string {
  const name = tab === "all" ? "All" : tab === "deleted" ? "Deleted" : REPORT_LISTS[tab].name;
  if (!counts) return name;
  return `${name} (${formatCount(tab === "all" ? totalOf(counts) : counts[tab])})`;
}
