import Typography from "@mui/material/Typography";
import { useWatch } from "react-hook-form";
import { readAmount } from "#contracts/report/amount-text.ts";
import { AMOUNTS, type AmountField } from "#contracts/report/derive/amounts.ts";
import { formatMoney, fromCents, toCents } from "#contracts/report/money.ts";
import type { ReportType } from "#contracts/report/words.ts";
import type { EditValues } from "./edit-values.ts";

/** The sum of the amounts in the form. The total itself is never typed. */
export function LiveTotal({ type }: { readonly type: ReportType }) {
  const { main, fees } = AMOUNTS[type];
  const [currency, ...texts] = useWatch<EditValues, ["currency", ...AmountField[]]>({
    name: ["currency", main, ...fees],
  });
  const cents = texts.map((text) => toCents(readAmount(text ?? "") ?? 0));
  const total = fromCents(cents.reduce((sum, amount) => sum + amount, 0));
  return (
    <Typography role="status" sx={{ mt: 2, fontVariantNumeric: "tabular-nums" }}>
      Total due: <strong>{formatMoney(total, currency ?? "USD")}</strong>
    </Typography>
  );
}
