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
import { type CardPage, type CardProcessor, CardsAway } from "./card-processor.ts";
import { isFee, lastPage } from "./checkout.decider.ts";

/** Milliseconds that someone who reads about a payment page waits for the payment service. */
const LOOK_MS = 1_500;
/** Milliseconds for which readers do not ask a payment service that was silent: only the first of them waits. */
const SILENT_MS = 30_000;
/** For how long after its end a page may still have a payment on its way. */
const LATE_MS = 24 * 3_600_000;

/** Card payments, where the registry takes any. */
export interface Cards {
  readonly processor: CardProcessor;
  /** Origin of the site, to which payers come back. */
  readonly publicUrl: string;
}

type Deps = StreamDeps &
  Pick<Dependencies, "handler" | "reports" | "cards"> & {
    /** Milliseconds of a clock that only goes forward. */
    readonly clock?: () => number;
  };

/** What the payment service says of a request's last page; undefined where the log says all that is known. */
export type PageLook = Paid | "ended" | undefined;

/** What the payment is that someone made on a page: `other_amount` was not the fee, and will not be taken for it. */
type Paid = "on_its_way" | "other_amount";

const PAID: Readonly<Record<Paid, string>> = {
  on_its_way:
    "Your payment is being processed. We'll show the banner as soon as it arrives. If that takes longer than a day, please write to us.",
  other_amount:
    "The payment doesn't match the fee, so we can't show the banner. Please write to us.",
};

interface LastPage {
  readonly paymentId: string;
  /** While it takes a payment. */
  readonly url?: string;
  readonly paid?: Paid;
}

/** Sends owners of reports to the payment service's page. */
export class CheckoutService {
  readonly #deps: Deps;
  readonly #clock: () => number;
  #silentUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? (() => performance.now());
  }

  /**
   * The page on which the owner pays the fee: the one that is open already, or a new one.
   * @returns its address.
   * @throws {DomainError} `report_not_found` for everything that is not the caller's own report;
   *   `already_paid`, also while a payment is on its way; `unavailable` while the payment service does not
   *   answer, `not_found` without one; the decider's refusals.
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
      // Someone else was faster, with the same account. No one has seen this page.
      await cards.processor.end(page.sessionId).catch(() => undefined);
      const theirs = unpaid(await this.#pageNow(state, requestId, cards));
      if (theirs?.url) return { url: theirs.url, position };
      throw new DomainError("conflict", "The payment page has just changed. Please try again.");
    });
  }

  /**
   * Whether a payment is on its way, of which no message has come yet, or is not the fee, or the page takes none
   * anymore: the payment service, and the operator there, can end it before its time. Nothing is said where the payment
   * service does not tell at once.
   * @param now RFC 3339, UTC.
   */
  async look(state: ReportState, now: string): Promise<PageLook> {
    const { cards } = this.#deps;
    const { resolution } = state;
    if (!cards || resolution?.stage !== "letter_accepted") return undefined;
    const { request_id } = resolution;
    const stored = lastPage(state, request_id);
    if (!stored || Date.parse(stored.expires_at) + LATE_MS < Date.parse(now)) return undefined;
    if (this.#clock() < this.#silentUntil) return undefined;
    try {
      const page = await this.#pageNow(state, request_id, cards, LOOK_MS);
      return page?.paid ?? (page?.url === undefined ? "ended" : undefined);
    } catch (error) {
      if (!(error instanceof CardsAway)) throw error;
      if (error.isSilent) this.#silentUntil = this.#clock() + SILENT_MS;
      return undefined;
    }
  }

  /** The request's last page. The service is asked also when its time is over, for a payment of the last minute. */
  async #pageNow(
    state: ReportState,
    requestId: string,
    { processor }: Cards,
    withinMs?: number,
  ): Promise<LastPage | undefined> {
    const stored = lastPage(state, requestId);
    if (!stored) return undefined;
    const { payment_id: paymentId, live, session_id, expires_at } = stored;
    // The registry was switched between test and live mode: this key does not know the page.
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
      // Without an event no one could match its payment.
      await processor.end(page.sessionId).catch(() => undefined);
      throw error;
    }
  }
}

/** @throws {DomainError} `already_paid` for a page on which someone has paid. */
function unpaid(page: LastPage | undefined): LastPage | undefined {
  if (page?.paid) throw new DomainError("already_paid", PAID[page.paid]);
  return page;
}

/** @throws {DomainError} `unavailable` in place of {@link CardsAway}. */
async function withCards<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof CardsAway)) throw error;
    throw new DomainError(
      "unavailable",
      "We can't open the payment page right now. Please try again in a minute.",
    );
  }
}
