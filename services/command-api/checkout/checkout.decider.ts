import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { Checkout } from "#contracts/events/report/checkout.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { MAX_CHECKOUTS } from "#contracts/report/resolution.ts";
import type { Moment } from "../kernel/command.ts";
import { closed, refuseHidden, requestOf } from "../resolution/resolution.decider.ts";
import type { CardPayment, Charged } from "./card-processor.ts";

/** The owner of a report wants to pay the fee by card. */
interface OpenCheckout {
  readonly type: "OpenCheckout";
  readonly requestId: string;
  /** Payment ID of a page that no longer accepts payment, although it hasn't expired. */
  readonly ended?: string | undefined;
  /** The page, once the payment service has opened it. */
  readonly page?: {
    readonly payment_id: string;
    readonly processor: string;
    readonly live: boolean;
    /** RFC 3339, UTC, milliseconds. */
    readonly expires_at: string;
    readonly session_id: string;
  };
}

/** The payment service reports a payment. */
interface AcceptCheckout {
  readonly type: "AcceptCheckout";
  /** The payment service's name in the log. */
  readonly processor: string;
  /** Whether the registry currently accepts real money. */
  readonly live: boolean;
  readonly payment: CardPayment;
  /** Admins to email about it. */
  readonly told: readonly string[];
}

/** Commands for card payments. */
export type CheckoutCommand = OpenCheckout | AcceptCheckout;

/** Why a payment doesn't count as a report's fee. */
export type PaymentProblem =
  | "report_deleted"
  | "checkout_unknown"
  | "reporter_erased"
  | "mode_differs"
  | "session_differs"
  | "amount_differs";

type KnownPage = Checkout & { readonly session_id: string };

/** The request's last page, unless it was paid or the reporter is erased. */
export function lastPage({ checkouts }: ReportState, requestId: string): KnownPage | undefined {
  const found = checkouts.findLast(({ request_id }) => request_id === requestId);
  if (!found || found.paid || found.session_id === null) return undefined;
  return { ...found, session_id: found.session_id };
}

/** The request's page that can be paid now; undefined if there is none. */
export function openPage(
  report: ReportState,
  requestId: string,
  now: string,
): KnownPage | undefined {
  const found = lastPage(report, requestId);
  return found && Date.parse(found.expires_at) > Date.parse(now) ? found : undefined;
}

/** Opens a payment page. A request never has two open pages, so that no one pays twice. */
export function openCheckout(
  report: ReportState,
  { requestId, ended, page }: OpenCheckout,
  { now }: Moment,
): ReportEvent[] {
  const { request_id, stage, amount_cents, currency } = requestOf(report, requestId);
  if (stage === "resolved") throw new DomainError("already_paid", "The fee has already been paid.");
  if (stage !== "letter_accepted") throw closed();
  refuseHidden(report);
  const open = openPage(report, requestId, now);
  if (open && open.payment_id !== ended) return [];
  if (report.checkouts.length >= MAX_CHECKOUTS)
    throw new DomainError(
      "resolution_closed",
      "The payment page was opened too many times for this report. Please write to us.",
    );
  if (!page) return [];
  const { session_id, ...opened } = page;
  const data = { ...opened, request_id, amount_cents, currency, reporter: { session_id } };
  return [{ type: "CheckoutOpened", data }];
}

/** Why the payment isn't this report's fee; undefined if it is, or was accepted before. */
export function paymentProblem(
  report: ReportState | undefined,
  { payment, live }: Pick<AcceptCheckout, "payment" | "live">,
): PaymentProblem | undefined {
  const page = report?.checkouts.find(({ payment_id }) => payment_id === payment.paymentId);
  if (!report || !page) return "checkout_unknown";
  if (page.paid) return undefined;
  if (report.status === "deleted") return "report_deleted";
  if (page.session_id === null) return "reporter_erased";
  if (payment.live !== live || payment.live !== page.live) return "mode_differs";
  if (page.session_id !== payment.sessionId) return "session_differs";
  return isFee(page, payment) ? undefined : "amount_differs";
}

/** Whether the payer was charged the amount that the page was opened for. */
export function isFee(page: Checkout, { amountCents, currency }: Charged): boolean {
  return page.amount_cents === amountCents && page.currency === currency;
}

/** Accepts a payment. One that matches no page is a no-op here; {@link paymentProblem} reports it to staff. */
export function acceptCheckout(
  report: ReportState | undefined,
  command: AcceptCheckout,
): ReportEvent[] {
  const { processor, payment, told } = command;
  const page = report?.checkouts.find(({ payment_id }) => payment_id === payment.paymentId);
  if (!report || !page || page.paid || paymentProblem(report, command)) return [];
  const { payment_id, request_id, amount_cents, currency } = page;
  const accepted: ReportEvent = {
    type: "PaymentAccepted",
    data: {
      payment_id,
      request_id,
      method: processor,
      amount_cents,
      currency,
      ...(told.length > 0 ? { told: [...told] } : {}),
      personal: { reference: payment.reference },
    },
  };
  // If the request is closed or was paid some other way, only record the payment; staff see it and refund it.
  const { resolution } = report;
  const isDue = resolution?.request_id === request_id && resolution.stage === "letter_accepted";
  return isDue ? [accepted, { type: "ReportResolved", data: { request_id } }] : [accepted];
}
