import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { useNavigate } from "react-router-dom";
import { REPORT_STATUSES, type ReportStatus } from "#contracts/report/words.ts";
import { paths } from "../../config/paths.ts";
import type { Counts } from "../../data/console-data-provider.ts";
import { formatCount } from "../../shared/formats.ts";
import { totalOf } from "../../shared/use-status-counts.ts";

export interface StatusTabsProps {
  readonly status: ReportStatus | undefined;
  readonly asked: Asked | undefined;
  /** The list's filter of that name, which the tab of unconfirmed reports sets. */
  readonly verified: "true" | "false" | undefined;
  /** Whether deleted reports are shown, which are on a page of their own. */
  readonly isDeleted?: true;
  readonly counts: Counts | undefined;
  readonly onChange: (tab: {
    readonly status: ReportStatus | undefined;
    readonly asked: Asked | undefined;
    readonly verified: "true" | "false" | undefined;
  }) => void;
}

/** Tabs about questions to reporters, beside those of the statuses. */
const ASKED = { answered: "Answered", waiting: "Waiting for reporter" } as const;
type Asked = keyof typeof ASKED;

const ALL = "all";
/** Pending reports that wait for their reporter's confirmation, not for a moderator. */
const UNCONFIRMED = "unconfirmed";
const DELETED = "deleted";

/** One tab per status, with its number of reports. */
export function StatusTabs(props: StatusTabsProps) {
  const { status, asked, verified, isDeleted, counts, onChange } = props;
  const navigate = useNavigate();
  const isUnconfirmed = status === "pending" && verified === "false" && !asked;
  const tabs = [
    { value: ALL, label: "All", count: counts && totalOf(counts) },
    ...Object.entries(REPORT_STATUSES).map(([value, label]) => ({
      value,
      label,
      count: counts?.[value as ReportStatus],
    })),
    { value: UNCONFIRMED, label: "Unconfirmed", count: counts?.unconfirmed },
    ...Object.entries(ASKED).map(([value, label]) => ({
      value,
      label,
      count: counts?.[value as Asked],
    })),
    { value: DELETED, label: "Deleted", count: undefined },
  ];
  const shown = isUnconfirmed ? UNCONFIRMED : (asked ?? status ?? ALL);
  return (
    <Tabs
      value={isDeleted ? DELETED : shown}
      onChange={(_event, value: string) => {
        if (value === DELETED) return void navigate(paths.deletedReports);
        onChange(
          value === UNCONFIRMED
            ? { asked: undefined, status: "pending", verified: "false" }
            : {
                asked: value in ASKED ? (value as Asked) : undefined,
                status: value in REPORT_STATUSES ? (value as ReportStatus) : undefined,
                verified: isUnconfirmed ? undefined : verified,
              },
        );
      }}
      variant="scrollable"
      aria-label="Reports by status"
      sx={{ borderBottom: 1, borderColor: "divider", px: 1, "& .MuiTab-root": { px: 1 } }}
    >
      {tabs.map(({ value, label, count }) => (
        <Tab
          key={value}
          value={value}
          label={count === undefined ? label : `${label} (${formatCount(count)})`}
        />
      ))}
    </Tabs>
  );
}
