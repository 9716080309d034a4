import Typography from "@mui/material/Typography";
import { useWatch } from "react-hook-form";
import { readAmount } from "#contracts/report/amount-text.ts";
import { formatMoney } from "#contracts/report/money.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { ledgerOf } from "../page/ledger.ts";
import type { EditValues } from "./edit-values.ts";

/** What the amounts in the form add up to. The total itself is never typed. */
export function LiveTotal({ type }: { readonly type: ReportType }) {
  const [currency, ...texts] = useWatch<
    EditValues,
    ["currency", "amount", "check_amount", "chargeback_fee", "other_fees"]
  >({ name: ["currency", "amount", "check_amount", "chargeback_fee", "other_fees"] });
  const [amount, check, fee, other] = texts.map((text) => readAmount(text ?? "") ?? 0);
  const { total } = ledgerOf({
    report_type: type,
    amount: amount ?? 0,
    check_amount: check ?? 0,
    chargeback_fee: type === "bad_check" ? 0 : (fee ?? 0),
    other_fees: other ?? 0,
  });
  return (
    <Typography role="status" sx={{ mt: 2, fontVariantNumeric: "tabular-nums" }}>
      Total due: <strong>{formatMoney(total, currency ?? "USD")}</strong>
    </Typography>
  );
}
