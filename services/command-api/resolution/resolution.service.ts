import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { fromCents } from "#contracts/report/money.ts";
import { openPage } from "../checkout/checkout.decider.ts";
import type { PaymentPageState } from "../checkout/checkout.service.ts";

/**
 * The owner's view of the last request for the RESOLVED banner; undefined if there is none.
 * @param now RFC 3339.
 * @param takesCards whether the fee can be paid by card.
 * @param look the payment service's state of the last payment page, if it was queried.
 */
export function ownResolution(
  report: ReportState,
  now: string,
  takesCards: boolean,
  look?: PaymentPageState,
): OwnResolution | undefined {
  const { resolution } = report;
  if (!resolution) return undefined;
  const { request_id, stage, amount_cents, currency, refusal } = resolution;
  const fee = { currency, amount: fromCents(amount_cents) };
  const isByCard = stage === "letter_accepted" && takesCards;
  const card = isByCard ? cardOf(report, request_id, now, look) : {};
  return { request_id, stage, fee, ...card, ...omitUndefined({ refusal }) };
}

function cardOf(
  report: ReportState,
  requestId: string,
  now: string,
  look: PaymentPageState,
): Pick<OwnResolution, "card" | "card_until"> {
  if (look === "on_its_way" || look === "other_amount") return { card: look };
  const open = look === "ended" ? undefined : openPage(report, requestId, now);
  if (open) return { card: "open", card_until: open.expires_at };
  const isKnown = report.checkouts.some(({ request_id }) => request_id === requestId);
  return { card: isKnown ? "expired" : "offered" };
}
