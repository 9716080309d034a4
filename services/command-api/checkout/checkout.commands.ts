import type { CardPayment } from "./card-processor.ts";

/** The owner of a report wants to pay the fee by card. */
export interface OpenCheckout {
  readonly type: "OpenCheckout";
  readonly requestId: string;
  /** The payment of a page that takes none any more, though its time is not over. */
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
export interface AcceptCheckout {
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
