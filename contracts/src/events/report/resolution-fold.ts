import type { ResolutionStage } from "../../report/resolution.ts";
import type { Currency } from "../../report/words.ts";
import type { ReportEvent } from "../index.ts";
import { textsAround } from "./report-text-masked.ts";
import { withTextsAt } from "./report-texts.ts";

/** A payment of the fee. */
export interface Payment {
  readonly payment_id: string;
  readonly method: string;
  readonly amount_cents: number;
  readonly currency: Currency;
  /** Null once the person is erased, or where it has none. */
  readonly reference: string | null;
  readonly refunded: boolean;
}

/** The last request for the RESOLVED banner. */
export interface Resolution {
  readonly request_id: string;
  /** The letter, a file of the report; null once it is erased. */
  readonly file_id: string | null;
  readonly stage: ResolutionStage;
  /** The fee as the owner was told it. */
  readonly amount_cents: number;
  readonly currency: Currency;
  /** Why the letter was refused. */
  readonly refusal: string | null;
  readonly payments: readonly Payment[];
  /** How often the report's owners have asked, this time included. */
  readonly requests: number;
}

/** Folds one more event of a report. Events about anything else change nothing. */
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
      // What came for an earlier request and was not sent back stays in sight.
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
