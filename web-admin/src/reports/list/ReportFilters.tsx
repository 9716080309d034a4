import type { ReportFilters as ReportFilter } from "#contracts/http/admin-reports.ts";
import { CHARGEBACK_REASONS, CHECK_REASONS, reasonLabel } from "#contracts/report/reasons.ts";
import { REPORT_TYPES } from "#contracts/report/words.ts";
import type { Columns } from "../../shared/columns/use-columns.ts";
import { FilterBar } from "../../shared/FilterBar.tsx";
import { SearchField } from "../../shared/SearchField.tsx";
import { SelectField } from "../../shared/SelectField.tsx";

export interface ReportFiltersProps {
  readonly filter: ReportFilter;
  /** Takes the values to set; undefined clears a filter. */
  readonly onChange: (change: Partial<Record<keyof ReportFilter, string | undefined>>) => void;
  /** What the list's rows may show. */
  readonly columns: Columns;
}

const REASONS = Object.keys({ ...CHARGEBACK_REASONS, ...CHECK_REASONS })
  .map((code) => [code, reasonLabel(code)] as const)
  .sort((a, b) => a[1].localeCompare(b[1]));

/** Search field and menus above the list. The status has tabs instead. */
export function ReportFilters({ filter, onChange, columns }: ReportFiltersProps) {
  const { status: _tab, asked: _asked, to_decide, q, ...others } = filter;
  const late = to_decide === "late" ? to_decide : undefined;
  const menus = { ...others, late };
  const clear = () =>
    onChange({
      q: undefined,
      verified: undefined,
      report_type: undefined,
      reason: undefined,
      ...(late && { to_decide: "all" }),
    });
  return (
    <FilterBar
      active={Object.values(menus).filter((value) => value).length}
      onClear={q || hasFilter(menus) ? clear : undefined}
      columns={columns}
      search={
        <SearchField
          placeholder="Name, title, text, city or id"
          value={q ?? ""}
          onSearch={(text) => onChange({ q: text || undefined })}
        />
      }
    >
      <SelectField
        label="Verified"
        value={filter.verified}
        options={[
          ["true", "Yes"],
          ["false", "No"],
        ]}
        onChange={(verified) => onChange({ verified })}
        width={90}
      />
      <SelectField
        label="Type"
        value={filter.report_type}
        options={Object.entries(REPORT_TYPES)}
        onChange={(report_type) => onChange({ report_type })}
        width={130}
      />
      <SelectField
        label="Reason"
        value={filter.reason}
        options={REASONS}
        onChange={(reason) => onChange({ reason })}
        width={160}
      />
      <SelectField
        label="Waiting"
        value={late}
        options={[["late", "Longer than a day"]]}
        onChange={(late) => onChange({ to_decide: late ?? "all" })}
        width={160}
      />
    </FilterBar>
  );
}

/** Whether any filter is set. */
export function hasFilter(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== "");
}
