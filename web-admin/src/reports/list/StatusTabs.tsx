import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { REPORT_STATUSES, type ReportStatus } from "#contracts/report/words.ts";
import type { Counts } from "../../data/console-data-provider.ts";
import { formatCount } from "../../shared/formats.ts";
import { totalOf } from "./use-status-counts.ts";

export interface StatusTabsProps {
  readonly status: ReportStatus | undefined;
  readonly asked: Asked | undefined;
  readonly counts: Counts | undefined;
  readonly onChange: (tab: {
    readonly status: ReportStatus | undefined;
    readonly asked: Asked | undefined;
  }) => void;
}

/** Tabs about questions to reporters, beside those of the statuses. */
const ASKED = { answered: "Answered", waiting: "Waiting for reporter" } as const;
type Asked = keyof typeof ASKED;

const ALL = "all";

/** One tab per status, with its number of reports. */
export function StatusTabs({ status, asked, counts, onChange }: StatusTabsProps) {
  const tabs = [
    { value: ALL, label: "All", count: counts && totalOf(counts) },
    ...Object.entries(REPORT_STATUSES).map(([value, label]) => ({
      value,
      label,
      count: counts?.[value as ReportStatus],
    })),
    ...Object.entries(ASKED).map(([value, label]) => ({
      value,
      label,
      count: counts?.[value as Asked],
    })),
  ];
  return (
    <Tabs
      value={asked ?? status ?? ALL}
      onChange={(_event, value: string) =>
        onChange({
          asked: value in ASKED ? (value as Asked) : undefined,
          status: value in REPORT_STATUSES ? (value as ReportStatus) : undefined,
        })
      }
      variant="scrollable"
      aria-label="Reports by status"
      sx={{ borderBottom: 1, borderColor: "divider", px: 1 }}
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
