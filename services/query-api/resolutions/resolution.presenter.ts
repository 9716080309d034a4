import type { Resolution } from "#contracts/events/report/resolution.ts";
import { given } from "#contracts/given.ts";
import type { OpenResolution, StaffResolution } from "#contracts/http/resolution.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { OpenResolutionRow } from "./resolutions.queries.ts";

/** A request for the RESOLVED banner as staff see it; undefined where there is none. */
export function presentResolution(
  resolution: Resolution | null,
  changedAt: Date | null,
): StaffResolution | undefined {
  if (!resolution || !changedAt) return undefined;
  const { request_id, file_id, stage, refusal, payments } = resolution;
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

/** An open request in the console's list; empty for a row without one. */
export function presentOpenResolution(row: OpenResolutionRow): OpenResolution[] {
  const { id, first_name, last_name, status, resolution, resolution_at } = row;
  if (!resolution || !resolution_at) return [];
  const { stage } = resolution;
  if (stage !== "requested" && stage !== "letter_accepted") return [];
  return [
    {
      id,
      number: reportNumber(id),
      first_name,
      last_name,
      is_public: status === "approved",
      stage,
      fee: money(resolution),
      since: resolution_at.toISOString(),
    },
  ];
}

function money({ currency, amount_cents }: Pick<Resolution, "currency" | "amount_cents">) {
  return { currency, amount: fromCents(amount_cents) };
}
