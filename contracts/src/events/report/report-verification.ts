import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";

/**
 * The reporter, or anybody who entered the address, asked for another link. Earlier links stay
 * valid.
 */
export const ReportVerificationResent = defineEvent(
  "ReportVerificationResent",
  1,
  strict({ link: OneTimeLink }),
  {},
);

/** The reporter opened the link in the mail. */
export const ReportVerifiedByLink = defineEvent(
  "ReportVerifiedByLink",
  1,
  strict({ link_id: Type.String({ format: "uuid" }) }),
  {},
);

/**
 * The account that submitted the report has confirmed the reporter's address as its own. It stands in the
 * append of `ReportSubmitted`, which then has no link.
 */
export const ReportVerifiedByAccount = defineEvent("ReportVerifiedByAccount", 1, strict({}), {});

/** An admin vouched for the reporter's address. */
export const ReportVerifiedByHand = defineEvent("ReportVerifiedByHand", 1, strict({}), {});

/** An admin withdrew the verification. */
export const ReportVerificationWithdrawn = defineEvent(
  "ReportVerificationWithdrawn",
  1,
  strict({}),
  {},
);
