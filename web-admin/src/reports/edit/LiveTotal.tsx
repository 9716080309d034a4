import Typography from "@mui/material/Typography";
import { useWatch } from "react-hook-form";
import { formatMoney } from "#contracts/report/money.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { type EditValues, totalDueOf } from "./edit-values.ts";

/** The total due, which follows what is typed. The total itself is never typed. */
export function LiveTotal({ type }: { readonly type: ReportType }) {
  const values = useWatch<EditValues>() as EditValues;
  return (
    <Typography role="status" sx={{ mt: 2, fontVariantNumeric: "tabular-nums" }}>
      Total due: <strong>{formatMoney(totalDueOf(values, type), values.currency ?? "USD")}</strong>
    </Typography>
  );
}
