import Typography from "@mui/material/Typography";
import type { Static } from "typebox";
import type { FieldChange } from "#contracts/http/admin-reports.ts";
import type { ReportHistory } from "../../data/console-data-provider.ts";
import { fieldLabel } from "../../shared/labels.ts";
import { Section } from "../../shared/Section.tsx";
import { currencyOf } from "../record/Amounts.tsx";
import type { ShownReport } from "../record/record-fields.ts";
import { SideBySide, type SideBySideRow } from "../record/SideBySide.tsx";
import { comparedText } from "./compared-text.ts";

export interface ComparisonProps {
  readonly history: ReportHistory;
  readonly difference: readonly Static<typeof FieldChange>[];
  /** Revisions. */
  readonly at: number;
  readonly against: number;
}

/** What two versions of a report say differently, the earlier one left. */
export function Comparison({ history, difference, at, against }: ComparisonProps) {
  const [left, right] = [Math.min(at, against), Math.max(at, against)];
  const currency = currencyOf((history.report ?? {}) as ShownReport);
  const title = `What differs between revisions ${left} and ${right}`;
  const rows = difference.map(({ field, from, to, hidden }): SideBySideRow => {
    const label = fieldLabel(field);
    const changed = history.erased ? "Changed; erased since" : "Changed; hidden";
    if (hidden) return { label, cells: [changed], mark: "kept" };
    const cells = [from, to].map((value) => comparedText(field, value, currency));
    return { label, cells: against < at ? cells : cells.toReversed() };
  });
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <Typography>Both say the same.</Typography>
      ) : (
        <SideBySide label={title} columns={[`Revision ${left}`, `Revision ${right}`]} rows={rows} />
      )}
    </Section>
  );
}
