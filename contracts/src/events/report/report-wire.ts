import type { FullReport } from "../../http/report-view.ts";
import { fromCents } from "../../report/money.ts";
import { chargebackTotal, totalDueCents } from "../../report/totals.ts";
import type { ReportState } from "./report-fold.ts";

/**
 * A report under the wire's names, with amounts as decimals and nothing masked. Erased parts are
 * absent. The `amount` of a bad check is its `check_amount`; totals are computed.
 */
export function toWire(
  state: Pick<ReportState, "report_type" | "clear" | "personal" | "reporter">,
): FullReport {
  const { clear, personal, reporter, report_type } = state;
  const wire: Record<string, unknown> = {
    report_type,
    ...decimals(clear),
    ...personal,
    ...reporter,
    total_due: fromCents(totalDueCents(report_type, clear, clear.chargebacks)),
    chargebacks: clear.chargebacks.map((item, i) => ({
      ...decimals(item),
      ...personal?.chargebacks[i],
      total_due: fromCents(chargebackTotal(item)),
    })),
  };
  if (report_type === "bad_check") wire.amount = wire.check_amount;
  return wire as FullReport;
}

/** `{ amount_cents: 41250 }` -> `{ amount: 412.5 }`; everything else unchanged. */
function decimals(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      name.endsWith("_cents") ? [name.slice(0, -"_cents".length), fromCents(value)] : [name, value],
    ),
  );
}
