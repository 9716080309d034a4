import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ChargebackField } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_ROWS } from "#contracts/report/derive/fields.ts";
import { chargebackVisibility } from "#contracts/report/derive/visibility.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { color } from "#theme/color.ts";
import { type Field, FieldList } from "../../shared/FieldList.tsx";
import { fieldLabel, valueText } from "../../shared/labels.ts";
import { CHARGEBACK_ORDER } from "./field-groups.ts";
import { cardField, marksOf, type ShownReport } from "./record-fields.ts";

export interface AdditionalChargebacksProps {
  readonly report: ShownReport;
  readonly opened: boolean;
}

/** Details of the additional chargebacks that are not in the ledger. */
export function AdditionalChargebacks({ report, opened }: AdditionalChargebacksProps) {
  const items = Array.isArray(report.chargebacks) ? (report.chargebacks as ShownReport[]) : [];
  const own = ownNumbers(report);
  return items.map((item, index) => {
    const fields = fieldsOf(item, opened, own);
    if (fields.length === 0) return null;
    const title = `Additional chargeback ${index + 1}`;
    return (
      <Box key={title} sx={{ mt: 2, pt: 2, borderTop: `1px solid ${color.line}` }}>
        <Typography variant="h3">{title}</Typography>
        <FieldList fields={fields} />
      </Box>
    );
  });
}

/** Fields that the ledger already shows. */
const IN_LEDGER: readonly ChargebackField[] = ["date", "reason"];
const FIELDS = CHARGEBACK_ORDER.filter(
  (name) => CHARGEBACK_ROWS[name].kind !== "money" && !IN_LEDGER.includes(name),
);

/** The item's fields. Hidden ones come last, once they are revealed. */
function fieldsOf(item: ShownReport, opened: boolean, own: readonly string[]): Field[] {
  const fields = FIELDS.flatMap((name): Field[] => {
    const value = item[name];
    if (name === "first_6") return cardField(item);
    if (name === "last_4" || value === undefined) return [];
    const kept = chargebackVisibility[name].moderator === "hidden";
    if (kept && !opened) return [];
    const text = valueText(name, value);
    const marks = marksOf(CHARGEBACK_ROWS[name], kept, own);
    return [{ label: fieldLabel(name), value: text, kept, ...marks }];
  });
  return fields.toSorted((a, b) => Number(a.kept ?? false) - Number(b.kept ?? false));
}
