import type { Resolution } from "#contracts/events/report/resolution-fold.ts";
import { given } from "#contracts/given.ts";
import type { StaffResolution } from "#contracts/http/resolution.ts";
import { fromCents } from "#contracts/report/money.ts";

/** A request for the RESOLVED banner as staff see it; undefined where there is none. */
export function presentResolution(
  resolution: Resolution | null,
  changedAt: Date | null,
): StaffResolution | undefined {
  if (!resolution || !changedAt) return undefined;
  const { request_id, file_id, stage, refusal, payments } = resolution;
  const money = ({ currency, amount_cents }: Pick<Resolution, "currency" | "amount_cents">) => ({
    currency,
    amount: fromCents(amount_cents),
  });
  return {
    request_id,
    stage,
    fee: money(resolution),
    changed_at: changedAt.toISOString(),
    payments: payments.map(({ payment_id, method, reference, refunded, ...payment }) => ({
      payment_id,
      method,
      paid: money(payment),
      refunded,
      ...given({ reference }),
    })),
    ...given({ refusal, file_id }),
  };
}
