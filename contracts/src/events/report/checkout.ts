import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { CURRENCIES, type Currency } from "../../report/words.ts";
import { defineEvent } from "../definition.ts";
import type { ReportEvent } from "../index.ts";
import { Instant } from "../instant.ts";

const Id = Type.String({ format: "uuid" });

/** A payment service opened a page on which the report's owner can pay the fee by card. */
export const CheckoutOpened = defineEvent(
  "CheckoutOpened",
  1,
  strict({
    /** The id that `PaymentAccepted` gets when this page is paid. */
    payment_id: Id,
    request_id: Id,
    /** The payment service. The log does not restrict the codes. */
    processor: Type.String({ pattern: "^[a-z0-9_]{1,40}$" }),
    /** Whether it takes real money. */
    live: Type.Boolean(),
    amount_cents: Type.Integer({ minimum: 1 }),
    currency: Type.Enum([...CURRENCIES]),
    /** After this time the page accepts no payment. */
    expires_at: Instant,
  }),
  /** The payment service's ID of the page. It leads to the report's owner, so it is erased with the reporter. */
  { reporter: strict({ session_id: Type.String({ minLength: 1, maxLength: 255 }) }) },
  { required: ["reporter"] },
);

/** A payment service's page for paying the fee of a request. */
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

/** Applies one event of a report. Pages of earlier requests are kept because they may be paid late. */
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
