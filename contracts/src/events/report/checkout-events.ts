import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { CURRENCIES } from "../../report/words.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";

const Id = Type.String({ format: "uuid" });

/** A payment service holds a page open on which the report's owner can pay the fee by card. */
export const CheckoutOpened = defineEvent(
  "CheckoutOpened",
  1,
  strict({
    /** The id that `PaymentAccepted` gets when this page is paid. */
    payment_id: Id,
    request_id: Id,
    /** Whose page it is. Which ones there are is not decided by the log. */
    processor: Type.String({ pattern: "^[a-z0-9_]{1,40}$" }),
    /** Whether real money moves there. */
    live: Type.Boolean(),
    amount_cents: Type.Integer({ minimum: 1 }),
    currency: Type.Enum([...CURRENCIES]),
    /** From then on the page takes no payment. */
    expires_at: Instant,
  }),
  /**
   * The payment service's name for the page. It leads to whoever pays there, who is the report's owner, so
   * it is erased with the reporter.
   */
  { reporter: strict({ session_id: Type.String({ minLength: 1, maxLength: 255 }) }) },
  { required: ["reporter"] },
);
