import { useNavigate } from "react-router-dom";
import {
  REPORT_LISTS,
  type ReportFilters,
  type StatusCounts,
} from "#contracts/http/admin-reports.ts";
import { paths } from "../config/paths.ts";
import { formatCount } from "../shared/formats.ts";
import { ListTabs } from "../shared/list/ListTabs.tsx";
import { totalOf } from "../shared/reads.ts";

interface StatusTabsProps {
  readonly filter: ReportFilters;
  /** Whether deleted reports are shown, which have their own page. */
  readonly isDeleted?: true;
  readonly counts: StatusCounts | undefined;
  /** Called with what the tab sets; undefined for what it clears. */
  readonly onChange: (
    tab: {
      readonly [Name in "status" | "asked" | "to_decide" | "verified"]: string | undefined;
    },
  ) => void;
}

type CountName = keyof typeof REPORT_LISTS;
type TabName = "all" | CountName | "deleted";
const TABS: readonly TabName[] = ["all", ...(Object.keys(REPORT_LISTS) as CountName[]), "deleted"];

/** One tab per status and per kind of waiting, with its number of reports. */
export function StatusTabs({ filter, isDeleted, counts, onChange }: StatusTabsProps) {
  const navigate = useNavigate();
  const shown = tabOf(filter);
  return (
    <ListTabs
      label="Reports by status"
      value={isDeleted ? "deleted" : shown}
      tabs={TABS.map((name) => [name, labelOf(name, counts)])}
      isCounted={counts !== undefined}
      onChange={(value) => {
        if (value === "deleted") return void navigate(paths.deletedReports);
        // The "unconfirmed" tab sets this filter itself; otherwise it came from the menu.
        const verified = shown === "unconfirmed" ? undefined : filter.verified;
        const none = { status: undefined, asked: undefined, to_decide: undefined };
        onChange({ ...none, verified, ...(value === "all" ? {} : REPORT_LISTS[value].filter) });
      }}
    />
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
