import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { CURRENCIES } from "../../report/words.ts";
import { defineEvent } from "../definition.ts";
import { textIn } from "./report-texts.ts";

const Id = Type.String({ format: "uuid" });
/** Which codes can be chosen is not decided by the log. */
const Code = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });
const Reason = Type.String({ minLength: 1, maxLength: 1000 });
const Money = {
  amount_cents: Type.Integer({ minimum: 1 }),
  currency: Type.Enum([...CURRENCIES]),
};
/** Accounts of the admins who are mailed of it. The log does not know who is an admin now. */
const Told = Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true }));

/**
 * The owner asks for the RESOLVED banner. The letter is the `EvidenceAdded` of the kind `letter` before
 * it in the same append.
 */
export const ResolutionRequested = defineEvent(
  "ResolutionRequested",
  1,
  strict({
    request_id: Id,
    /** The letter. */
    file_id: Id,
    /** The fee as the owner was told it. */
    ...Money,
    /** The terms that say so. */
    terms_version: Type.String({ minLength: 1, maxLength: 40 }),
  }),
  {},
);

/** The letter is in order: the owner may pay. */
export const ResolutionLetterAccepted = defineEvent(
  "ResolutionLetterAccepted",
  1,
  strict({ request_id: Id }),
  {},
);

/** The letter is not in order, and the request over. */
export const ResolutionLetterRefused = defineEvent(
  "ResolutionLetterRefused",
  1,
  strict({ request_id: Id, reason_code: Type.Optional(Code) }),
  { personal: strict({ reason: Reason }) },
  { required: ["personal"], texts: { personal: textIn("reason") } },
);

/** The request is over before it was paid. `EvidenceErased` of its letter follows in the same append. */
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

/** The fee arrived. */
export const PaymentAccepted = defineEvent(
  "PaymentAccepted",
  1,
  strict({ payment_id: Id, request_id: Id, method: Code, ...Money, told: Told }),
  /** By what the payment is found in the registry's books. */
  { personal: strict({ reference: Type.String({ minLength: 1, maxLength: 100 }) }) },
);

/** A payment was sent back. */
export const PaymentRefunded = defineEvent(
  "PaymentRefunded",
  1,
  strict({ payment_id: Id, reason_code: Code, told: Told }),
  { personal: strict({ reason: Reason }) },
  { required: ["personal"], texts: { personal: textIn("reason") } },
);

/** The report shows the RESOLVED banner from here on, wherever it is public. */
export const ReportResolved = defineEvent("ReportResolved", 1, strict({ request_id: Id }), {});

/** It shows the banner no more: none of the payments is left. */
export const ReportUnresolved = defineEvent("ReportUnresolved", 1, strict({ request_id: Id }), {});
