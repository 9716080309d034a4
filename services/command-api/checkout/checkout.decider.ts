import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { Checkout } from "#contracts/events/report/checkout.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { MOST_CHECKOUTS } from "#contracts/report/resolution.ts";
import type { Moment } from "../kernel/command.ts";
import { closed, refuseHidden, requestOf } from "../resolution/resolution.decider.ts";
import type { CardPayment, Charged } from "./card-processor.ts";

/** The owner of a report wants to pay the fee by card. */
interface OpenCheckout {
  readonly type: "OpenCheckout";
  readonly requestId: string;
  /** The payment of a page that takes none anymore, though its time is not over. */
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

/** The payment service says that money came. */
interface AcceptCheckout {
  readonly type: "AcceptCheckout";
  /** The payment service's name in the log. */
  readonly processor: string;
  /** Whether the registry takes real money now. */
  readonly live: boolean;
  readonly payment: CardPayment;
  /** Admins who are mailed of it. */
  readonly told: readonly string[];
}

/** The commands about payments by card. */
export type CheckoutCommand = OpenCheckout | AcceptCheckout;

/** Why money that came is not the fee of a report. */
export type PaymentProblem =
  | "report_deleted"
  | "checkout_unknown"
  | "reporter_erased"
  | "mode_differs"
  | "session_differs"
  | "amount_differs";

type KnownPage = Checkout & { readonly session_id: string };

/** The last page of a request, unless it was paid or the reporter is erased. */
export function lastPage({ checkouts }: ReportState, requestId: string): KnownPage | undefined {
  const found = checkouts.findLast(({ request_id }) => request_id === requestId);
  if (!found || found.paid || found.session_id === null) return undefined;
  return { ...found, session_id: found.session_id };
}

/** The page of a request that takes a payment now; undefined when there is none. */
export function openPage(
  report: ReportState,
  requestId: string,
  now: string,
): KnownPage | undefined {
  const found = lastPage(report, requestId);
  return found && Date.parse(found.expires_at) > Date.parse(now) ? found : undefined;
}

/** The owner wants to pay by card. No two pages of a request are open at once, so that no one pays twice. */
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
  if (report.checkouts.length >= MOST_CHECKOUTS)
    throw new DomainError(
      "resolution_closed",
      "The payment page was opened too many times for this report. Please write to us.",
    );
  if (!page) return [];
  const { session_id, ...opened } = page;
  const data = { ...opened, request_id, amount_cents, currency, reporter: { session_id } };
  return [{ type: "CheckoutOpened", data }];
}

/** Why the money is not the fee of this report; undefined when it is, or was taken before. */
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

/** Whether a payer was charged what the page was opened for. */
export function isFee(page: Checkout, { amountCents, currency }: Charged): boolean {
  return page.amount_cents === amountCents && page.currency === currency;
}

/** A page was paid. Money that fits no page changes nothing here; {@link paymentProblem} tells staff. */
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
  // Of a request that is over, or was paid in another way: staff see the money and send it back.
  const { resolution } = report;
  const isDue = resolution?.request_id === request_id && resolution.stage === "letter_accepted";
  return isDue ? [accepted, { type: "ReportResolved", data: { request_id } }] : [accepted];
}
