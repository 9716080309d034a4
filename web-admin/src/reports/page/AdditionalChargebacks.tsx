import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { maskCard } from "#contracts/report/masks.ts";
import { color } from "#theme/tokens.ts";
import { type Field, FieldList } from "../../shared/FieldList.tsx";
import { fieldLabel, valueText } from "../../shared/labels.ts";
import type { ShownReport } from "./record-fields.ts";

interface Item extends Readonly<Record<string, unknown>> {
  readonly first_6?: string;
  readonly last_4?: string;
}

export interface AdditionalChargebacksProps {
  readonly report: ShownReport;
  readonly opened: boolean;
}

/** What the ledger does not say about the additional chargebacks. */
export function AdditionalChargebacks({ report, opened }: AdditionalChargebacksProps) {
  const items = Array.isArray(report.chargebacks) ? (report.chargebacks as Item[]) : [];
  return items.map((item, index) => {
    const fields = fieldsOf(item, opened);
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

function fieldsOf(item: Item, opened: boolean): Field[] {
  const card = maskCard(item.first_6, item.last_4);
  const kept = (name: string): Field[] =>
    opened && item[name] !== undefined
      ? [{ label: fieldLabel(name), value: valueText(name, item[name]), kept: true }]
      : [];
  return [
    ...(item.resolution_status === undefined
      ? []
      : [
          {
            label: fieldLabel("resolution_status"),
            value: valueText("resolution_status", item.resolution_status),
          },
        ]),
    ...(card ? [{ label: "Card number", value: card }] : []),
    ...kept("order_id"),
    ...kept("notes"),
  ];
}
