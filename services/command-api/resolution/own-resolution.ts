import type { Resolution } from "#contracts/events/report/resolution-fold.ts";
import { given } from "#contracts/given.ts";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { fromCents } from "#contracts/report/money.ts";

/** A request for the RESOLVED banner as its owner sees it. */
export function ownResolution(resolution: Resolution): OwnResolution {
  const { request_id, stage, amount_cents, currency, refusal } = resolution;
  const fee = { currency, amount: fromCents(amount_cents) };
  return { request_id, stage, fee, ...given({ refusal }) };
}
