import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import type { ResolutionStage } from "../../report/resolution.ts";
import { CURRENCIES, type Currency } from "../../report/words.ts";
import { defineEvent } from "../definition.ts";
import type { ReportEvent } from "../index.ts";
import { textsAround } from "./report-edited.ts";
import { textIn, withTextsAt } from "./report-texts.ts";

const Id = Type.String({ format: "uuid" });
/** The log does not restrict the values. */
const Code = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });
const Reason = Type.String({ minLength: 1, maxLength: 1000 });
const Money = {
  amount_cents: Type.Integer({ minimum: 1 }),
  currency: Type.Enum([...CURRENCIES]),
};
/** Accounts of the admins who get an email about it. The log doesn't know who is an admin now. */
const NotifiedAdmins = Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true }));

/**
 * The owner requested the RESOLVED banner. The letter is the `EvidenceAdded` of kind `letter`
 * before it in the same append.
 */
export const ResolutionRequested = defineEvent(
  "ResolutionRequested",
  1,
  strict({
    request_id: Id,
    /** The letter. */
    file_id: Id,
    /** The fee quoted to the owner. */
    ...Money,
    /** Version of the terms with that fee. */
    terms_version: Type.String({ minLength: 1, maxLength: 40 }),
  }),
  {},
);

/** The letter was accepted, and the fee is due. */
export const ResolutionLetterAccepted = defineEvent(
  "ResolutionLetterAccepted",
  1,
  strict({ request_id: Id }),
  {},
);

/** The letter was refused, which ends the request. */
export const ResolutionLetterRefused = defineEvent(
  "ResolutionLetterRefused",
  1,
  strict({ request_id: Id, reason_code: Type.Optional(Code) }),
  { personal: strict({ reason: Reason }) },
  { required: ["personal"], texts: { personal: textIn("reason") } },
);

/** The request ended before it was paid. `EvidenceErased` of its letter follows in the same append. */
export const ResolutionWithdrawn = defineEvent(
  "ResolutionWithdrawn",
  1,
  strict({
    request_id: Id,
    /** `owner`, or `erasure` when the reporter is erased. */
    by: Code,
  }),
  {},
);

/** The fee was paid. */
export const PaymentAccepted = defineEvent(
  "PaymentAccepted",
  1,
  strict({ payment_id: Id, request_id: Id, method: Code, ...Money, told: NotifiedAdmins }),
  /** Identifies the payment in the registry's books. */
  { personal: strict({ reference: Type.String({ minLength: 1, maxLength: 100 }) }) },
);

/** A payment was refunded. */
export const PaymentRefunded = defineEvent(
  "PaymentRefunded",
  1,
  strict({ payment_id: Id, reason_code: Code, told: NotifiedAdmins }),
  { personal: strict({ reason: Reason }) },
  { required: ["personal"], texts: { personal: textIn("reason") } },
);

/** The report now shows the RESOLVED banner wherever it is public. */
export const ReportResolved = defineEvent("ReportResolved", 1, strict({ request_id: Id }), {});

/** The banner was removed because every payment was refunded. */
export const ReportUnresolved = defineEvent("ReportUnresolved", 1, strict({ request_id: Id }), {});

export const resolutionDefinitions = [
  ResolutionRequested,
  ResolutionLetterAccepted,
  ResolutionLetterRefused,
  ResolutionWithdrawn,
  PaymentAccepted,
  PaymentRefunded,
  ReportResolved,
  ReportUnresolved,
] as const;

/** A payment of the fee. */
interface Payment {
  readonly payment_id: string;
  readonly method: string;
  readonly amount_cents: number;
  readonly currency: Currency;
  /** Null if none was given or the person is erased. */
  readonly reference: string | null;
  readonly refunded: boolean;
}

/** The latest request for the RESOLVED banner. */
export interface Resolution {
  readonly request_id: string;
  /** The letter, a file of the report; null once it is erased. */
  readonly file_id: string | null;
  readonly stage: ResolutionStage;
  /** The fee quoted to the owner. */
  readonly amount_cents: number;
  readonly currency: Currency;
  /** Why the letter was refused. */
  readonly refusal: string | null;
  readonly payments: readonly Payment[];
  /** Number of requests by the report's owners so far, including this one. */
  readonly requests: number;
}

/** Applies one event of a report. Unrelated events change nothing. */
export function evolveResolution(state: Resolution | null, event: ReportEvent): Resolution | null {
  if (event.type === "ResolutionRequested") {
    const { request_id, file_id, amount_cents, currency } = event.data;
    return {
      request_id,
      file_id,
      stage: "requested",
      amount_cents,
      currency,
      refusal: null,
      // Unrefunded payments for an earlier request stay visible.
      payments: state?.payments.filter(({ refunded }) => !refunded) ?? [],
      requests: (state?.requests ?? 0) + 1,
    };
  }
  if (!state) return null;
  switch (event.type) {
    case "ResolutionLetterAccepted":
      return { ...state, stage: "letter_accepted" };
    case "ResolutionLetterRefused":
      return { ...state, stage: "letter_refused", refusal: event.data.personal?.reason ?? null };
    case "ResolutionWithdrawn":
      return { ...state, stage: "withdrawn" };
    case "EvidenceErased":
      return event.data.file_id === state.file_id ? { ...state, file_id: null } : state;
    case "PaymentAccepted": {
      const { payment_id, method, amount_cents, currency, personal } = event.data;
      const reference = personal?.reference ?? null;
      const paid = { payment_id, method, amount_cents, currency, reference, refunded: false };
      return { ...state, payments: [...state.payments, paid] };
    }
    case "PaymentRefunded": {
      const { payment_id } = event.data;
      const payments = state.payments.map((payment) =>
        payment.payment_id === payment_id ? { ...payment, refunded: true } : payment,
      );
      return { ...state, payments };
    }
    case "ReportTextMasked":
      return withTextsAt({ resolution: state }, textsAround(event.data)).resolution;
    case "ReportResolved":
      return { ...state, stage: "resolved" };
    case "ReportUnresolved":
      return { ...state, stage: "refunded" };
    default:
      return state;
  }
}
