import type { Currency } from "../../report/words.ts";
import type { ReportEvent } from "../index.ts";

/** A page of a payment service on which the fee of a request can be paid. */
export interface Checkout {
  readonly payment_id: string;
  readonly request_id: string;
  readonly live: boolean;
  readonly amount_cents: number;
  readonly currency: Currency;
  /** RFC 3339, UTC. */
  readonly expires_at: string;
  /** Null once the reporter is erased. */
  readonly session_id: string | null;
  /** Whether its payment was accepted. */
  readonly paid: boolean;
}

/** Folds one more event of a report. Those of earlier requests are kept: they may be paid late. */
export function evolveCheckouts(
  checkouts: readonly Checkout[],
  event: ReportEvent,
): readonly Checkout[] {
  switch (event.type) {
    case "CheckoutOpened": {
      const { processor: _, reporter, ...opened } = event.data;
      return [...checkouts, { ...opened, session_id: reporter?.session_id ?? null, paid: false }];
    }
    case "PaymentAccepted": {
      const { payment_id } = event.data;
      return checkouts.map((checkout) =>
        checkout.payment_id === payment_id ? { ...checkout, paid: true } : checkout,
      );
    }
    case "ReporterErased":
      return checkouts.map((checkout) => ({ ...checkout, session_id: null }));
    default:
      return checkouts;
  }
}
