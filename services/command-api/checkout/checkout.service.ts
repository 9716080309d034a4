import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { CHECKOUT_MINUTES, CHECKOUT_RETURN } from "#contracts/report/resolution.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import type { Dependencies } from "../dependencies.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import { requireOwnReport } from "../report/own-account.ts";
import type { ReportOutcome } from "../report/report.service.ts";
import { type CardPage, CardPaymentsUnavailable, type CardProcessor } from "./card-processor.ts";
import { isFee, lastPage } from "./checkout.decider.ts";

/** Timeout in milliseconds for querying the payment service while someone waits for a page. */
const POLL_MS = 1_500;
/** Milliseconds to skip such queries after the payment service timed out, so that only the first reader waits. */
const SILENT_MS = 30_000;
/** How long after it expires a page may still have a payment in progress. */
const LATE_MS = 24 * 3_600_000;

/** Card payments, if the registry accepts them. */
export interface Cards {
  readonly processor: CardProcessor;
  /** Origin of the site, to which payers return. */
  readonly publicUrl: string;
}

type Deps = StreamDeps &
  Pick<Dependencies, "handler" | "reports" | "cards"> & {
    /** Monotonic clock in milliseconds. */
    readonly clock?: () => number;
  };

/** The payment service's state of the last page; undefined if the log is all there is to know. */
export type PaymentPageState = Paid | "ended" | undefined;

/** State of a payment made on a page. `other_amount`: it doesn't match the fee and will not be accepted. */
type Paid = "on_its_way" | "other_amount";

const PAID: Readonly<Record<Paid, string>> = {
  on_its_way:
    "Your payment is being processed. We'll show the banner as soon as it arrives. If that takes longer than a day, please write to us.",
  other_amount:
    "The payment doesn't match the fee, so we can't show the banner. Please write to us.",
};

interface LastPage {
  readonly paymentId: string;
  /** Set while the page can be paid. */
  readonly url?: string;
  readonly paid?: Paid;
}

/** Sends report owners to the payment service's page. */
export class CheckoutService {
  readonly #deps: Deps;
  readonly #clock: () => number;
  #silentUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? (() => performance.now());
  }

  /**
   * Returns the address of the page on which the owner pays the fee, opening one if needed.
   * @throws {DomainError} `report_not_found` for anything but the caller's own report; `already_paid`, also while
   *   a payment is in progress; `unavailable` if the payment service is; `not_found` without one; the decider's
   *   refusals.
   */
  async open(
    id: string,
    requestId: string,
    envelope: CommandEnvelope,
  ): Promise<{ readonly url: string; readonly position: string }> {
    const { reports, cards } = this.#deps;
    await requireOwnReport(id, envelope.caller, this.#deps);
    if (!cards) throw new DomainError("not_found", "This registry doesn't accept card payments.");
    const asked = { type: "OpenCheckout", requestId } as const;
    const before = await reports.execute(id, asked, envelope);
    return withCards(async () => {
      const present = unpaid(await this.#pageNow(before.state, requestId, cards));
      if (present?.url) return { url: present.url, position: before.position };
      const ended = present?.paymentId;
      const { page, outcome } = await this.#openNew(id, { ...asked, ended }, envelope, cards);
      const { position, state } = outcome;
      const isStored = state.checkouts.some(({ session_id }) => session_id === page.sessionId);
      if (isStored) return { url: page.url, position };
      // A concurrent request of the same account was faster. No one has seen this page.
      await cards.processor.end(page.sessionId).catch(() => undefined);
      const theirs = unpaid(await this.#pageNow(state, requestId, cards));
      if (theirs?.url) return { url: theirs.url, position };
      throw new DomainError("conflict", "The payment page has just changed. Please try again.");
    });
  }

  /**
   * Whether a payment is in progress whose webhook hasn't arrived, the payment doesn't match the fee, or the page
   * has ended early: the payment service, or the operator there, can end it. Undefined if the payment service
   * doesn't reply quickly.
   * @param now RFC 3339, UTC.
   */
  async look(state: ReportState, now: string): Promise<PaymentPageState> {
    const { cards } = this.#deps;
    const { resolution } = state;
    if (!cards || resolution?.stage !== "letter_accepted") return undefined;
    const { request_id } = resolution;
    const stored = lastPage(state, request_id);
    if (!stored || Date.parse(stored.expires_at) + LATE_MS < Date.parse(now)) return undefined;
    if (this.#clock() < this.#silentUntil) return undefined;
    try {
      const page = await this.#pageNow(state, request_id, cards, POLL_MS);
      return page?.paid ?? (page?.url === undefined ? "ended" : undefined);
    } catch (error) {
      if (!(error instanceof CardPaymentsUnavailable)) throw error;
      if (error.isSilent) this.#silentUntil = this.#clock() + SILENT_MS;
      return undefined;
    }
  }

  /** The request's last page. Queried even after it expires, for last-minute payments. */
  async #pageNow(
    state: ReportState,
    requestId: string,
    { processor }: Cards,
    withinMs?: number,
  ): Promise<LastPage | undefined> {
    const stored = lastPage(state, requestId);
    if (!stored) return undefined;
    const { payment_id: paymentId, live, session_id, expires_at } = stored;
    // The registry was switched between test and live mode, so this key doesn't know the page.
    if (live !== processor.live) return { paymentId };
    const now = await processor.find(session_id, new Date(expires_at), withinMs);
    if (now.state === "done")
      return { paymentId, paid: isFee(stored, now) ? "on_its_way" : "other_amount" };
    return now.state === "open" ? { paymentId, url: now.url } : { paymentId };
  }

  async #openNew(
    id: string,
    command: { readonly type: "OpenCheckout"; requestId: string; ended: string | undefined },
    envelope: CommandEnvelope,
    { processor, publicUrl }: Cards,
  ): Promise<{ readonly page: CardPage; readonly outcome: ReportOutcome }> {
    const { reports } = this.#deps;
    const checked = await reports.execute(id, command, envelope);
    const { resolution } = checked.state;
    if (!resolution) throw new TypeError("the report has no request");
    const { amount_cents: amountCents, currency } = resolution;
    const payment_id = randomUUID();
    const expiresAt = new Date(Date.parse(envelope.caller.now) + CHECKOUT_MINUTES * 60_000);
    const back = `${publicUrl}/dashboard/reports/${id}?${CHECKOUT_RETURN.parameter}=`;
    const page = await processor.open({
      paymentId: payment_id,
      reportId: id,
      amountCents,
      currency,
      title: `RESOLVED banner for report ${reportNumber(id)}`,
      expiresAt,
      paidUrl: back + CHECKOUT_RETURN.paid,
      leftUrl: back + CHECKOUT_RETURN.left,
    });
    const { name, live } = processor;
    const opened = {
      payment_id,
      processor: name,
      live,
      expires_at: expiresAt.toISOString(),
      session_id: page.sessionId,
    };
    try {
      return { page, outcome: await reports.execute(id, { ...command, page: opened }, envelope) };
    } catch (error) {
      // Without the event its payment could not be matched.
      await processor.end(page.sessionId).catch(() => undefined);
      throw error;
    }
  }
}

/** @throws {DomainError} `already_paid` if someone has paid on the page. */
function unpaid(page: LastPage | undefined): LastPage | undefined {
  if (page?.paid) throw new DomainError("already_paid", PAID[page.paid]);
  return page;
}

/** Maps {@link CardPaymentsUnavailable} to `unavailable`. @throws {DomainError} */
async function withCards<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof CardPaymentsUnavailable)) throw error;
    throw new DomainError(
      "unavailable",
      "We can't open the payment page right now. Please try again in a minute.",
    );
  }
}
