import { type Static, Type } from "typebox";
import { codes, ONE_LINE, ReportId, strict } from "../report/fields.ts";
import {
  CARD_STATES,
  PAYMENT_METHODS,
  REFERENCE_LENGTH,
  REFUND_REASONS,
  RESOLUTION_REASON_LENGTH,
  RESOLUTION_STAGES,
} from "../report/resolution.ts";
import { CURRENCIES } from "../report/words.ts";
import type { CommandRow } from "./command-row.ts";
import { reply } from "./envelope.ts";
import { NamedUpload } from "./evidence.ts";
import { ADMIN_REPORT } from "./moderation.ts";

const opt = Type.Optional;
const Money = strict({ currency: Type.Enum([...CURRENCIES]), amount: Type.Number() });
const Reason = Type.String({ minLength: 1, maxLength: RESOLUTION_REASON_LENGTH });

const stageFields = {
  request_id: ReportId,
  stage: codes(RESOLUTION_STAGES),
  fee: Money,
  /** Why the letter was refused. */
  refusal: opt(Type.String()),
};

/** The latest request for the RESOLVED banner on a report, as its owner sees it. */
export const OwnResolution = strict({
  ...stageFields,
  /** Present while the fee is due and can be paid by card. */
  card: opt(codes(CARD_STATES)),
  /** When the payment page stops accepting a payment, while one is open. RFC 3339, UTC. */
  card_until: opt(Type.String()),
});
export type OwnResolution = Static<typeof OwnResolution>;

/** Requests the banner, or withdraws the request. */
export const OWN_RESOLUTION = "/prod/api/account/reports/:id/resolution";

/** POST: requests the banner, with the notarized letter. */
export const RequestResolution = strict({
  letter: NamedUpload,
  /** Version of the terms that state the fee and when it is refunded. */
  terms_version: Type.String({ minLength: 1, maxLength: 40 }),
});
export type RequestResolution = Static<typeof RequestResolution>;
/** DELETE */
export const WithdrawResolution = strict({ request_id: ReportId });
/** POST: returns the request's current state. Reading it is not logged. */
export const OWN_RESOLUTION_STATE = `${OWN_RESOLUTION}/state`;
/** The latest request; null if there was none. */
export const OwnResolutionState = reply(
  strict({ resolution: Type.Union([OwnResolution, Type.Null()]) }),
);

/** POST: opens a card payment page for the fee, or returns the open one. */
export const OWN_CHECKOUT = `${OWN_RESOLUTION}/checkout`;
export const OpenCheckout = strict({ request_id: ReportId });
/** The payment page. */
export const CheckoutReply = reply(strict({ url: Type.String({ format: "uri" }) }));

/** POST: Stripe's webhook for payments. */
export const STRIPE_NOTICES = "/prod/api/payments/stripe";

export const OwnResolutionReply = reply(strict({ resolution: OwnResolution }));

/** A request as staff see it. */
export const StaffResolution = strict({
  ...stageFields,
  /** The letter: it is opened like any other file of the report. Absent once it is erased. */
  file_id: opt(ReportId),
  /** When the request last moved on. */
  changed_at: Type.String({ description: "RFC 3339, UTC" }),
  payments: Type.Array(
    strict({
      payment_id: ReportId,
      method: Type.String(),
      paid: Money,
      reference: opt(Type.String()),
      refunded: Type.Boolean(),
    }),
  ),
});
export type StaffResolution = Static<typeof StaffResolution>;

/** Maximum open requests in a reply. */
export const OPEN_RESOLUTIONS = 200;

/** An open request for the RESOLVED banner, in the console's list. */
export const OpenResolution = strict({
  id: ReportId,
  /** Number of the report, as in emails. */
  number: Type.String(),
  /** The reported person. */
  first_name: Type.String(),
  last_name: Type.String(),
  /** Whether the report is public. A letter can be accepted only then. */
  is_public: Type.Boolean(),
  /** `requested`: the letter needs checking. `letter_accepted`: the fee is due. */
  stage: Type.Enum(["requested", "letter_accepted"]),
  fee: Money,
  /** When the request entered this stage. */
  since: Type.String({ description: "RFC 3339, UTC" }),
});
export type OpenResolution = Static<typeof OpenResolution>;

/** GET /prod/api/admin/resolutions: letters to check, then requests awaiting the fee; oldest first. */
export const OpenResolutionsReply = reply(
  strict({
    resolutions: Type.Array(OpenResolution, { maxItems: OPEN_RESOLUTIONS }),
    /** Whether there are more than these. */
    has_more: Type.Boolean(),
  }),
);
export type OpenResolutions = Static<typeof OpenResolutionsReply>["data"];

interface StaffCommand extends Omit<CommandRow, "method"> {
  /** Payment commands require a recent password and notify all admins. */
  readonly isPayment: boolean;
}

/** Staff commands for a banner request. All are `POST` and idempotent. */
export const RESOLUTION_COMMANDS = {
  accept: {
    type: "AcceptLetter",
    title: "Accept a notarized letter",
    path: "/resolution/accept",
    body: strict({ request_id: ReportId }),
    isPayment: false,
    summary: "Accept the letter of a request for the RESOLVED banner; the fee is then due",
    done: "Letter accepted",
  },
  refuse: {
    type: "RefuseLetter",
    title: "Refuse a notarized letter",
    path: "/resolution/refuse",
    body: strict({ request_id: ReportId, reason: Reason }),
    isPayment: false,
    summary: "Refuse the letter of a request for the RESOLVED banner, with a reason",
    done: "Letter refused",
  },
  pay: {
    type: "NotePayment",
    title: "Record a payment",
    path: "/resolution/payment",
    body: strict({
      request_id: ReportId,
      method: codes(PAYMENT_METHODS),
      /** Identifies the payment in the registry's books. */
      reference: Type.String({
        minLength: 1,
        maxLength: REFERENCE_LENGTH,
        pattern: ONE_LINE,
      }),
      /** Whether the fee was already paid: this payment is recorded to be refunded. */
      again: opt(Type.Boolean()),
    }),
    isPayment: true,
    summary: "Record a payment of the fee; the report then shows the RESOLVED banner",
    done: "Payment recorded",
  },
  refund: {
    type: "RefundPayment",
    title: "Refund a payment",
    path: "/resolution/refund",
    body: strict({
      payment_id: ReportId,
      reason_code: codes(REFUND_REASONS),
      reason: Reason,
    }),
    isPayment: true,
    summary: "Record a refund; removes the banner if no payment is left",
    done: "Refund recorded",
  },
} as const satisfies Readonly<Record<string, StaffCommand>>;

type Rows = typeof RESOLUTION_COMMANDS;
export type ResolutionCommandName = keyof Rows;
export type ResolutionBody<N extends ResolutionCommandName> = Static<Rows[N]["body"]>;
export const RESOLUTION_COMMAND_NAMES = Object.keys(
  RESOLUTION_COMMANDS,
) as readonly ResolutionCommandName[];

/** Returns the row of a command. */
export function resolutionCommand(name: ResolutionCommandName): StaffCommand {
  return RESOLUTION_COMMANDS[name];
}

/** A staff command as data. */
export type StaffResolutionCommand = {
  [N in ResolutionCommandName]: {
    readonly type: Rows[N]["type"];
    readonly body: ResolutionBody<N>;
  };
}[ResolutionCommandName];

/** Returns the path of a command. */
export function resolutionPath(name: ResolutionCommandName): string {
  return ADMIN_REPORT + RESOLUTION_COMMANDS[name].path;
}
