import { Type } from "typebox";
import { ReportId, ReportStatusCode, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { textIn } from "./report-texts.ts";
import { Slug } from "./stored-report.ts";

/** The status that the report had before, and whether the reporter's address was verified then. */
const decided = { from: ReportStatusCode, verified: Type.Boolean() };
/** Code of a reason. The log does not limit which codes exist. */
const ReasonCode = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

/** A moderator approved the report: it is public from here on. */
export const ReportApproved = defineEvent("ReportApproved", 1, strict(decided), {
  /**
   * The new address of its page: at the first approval, and at a later one if the name has changed.
   * When absent, the report keeps the address that it has.
   */
  personal: strict({ slug: Slug }),
});

/** A moderator rejected the report, with a reason: a text, a code, or both. */
export const ReportRejected = defineEvent(
  "ReportRejected",
  1,
  strict({ ...decided, reason_code: Type.Optional(ReasonCode) }),
  { personal: strict({ reason: Type.String({ minLength: 1 }) }) },
  { oneOf: ["reason_code", "personal"], texts: { personal: textIn("reason") } },
);

/** A moderator set the report to `pending` or `under_review`, or took a decision back. */
export const ReportStatusSet = defineEvent(
  "ReportStatusSet",
  1,
  strict({
    from: ReportStatusCode,
    to: Type.Enum(["pending", "under_review"]),
    verified: Type.Boolean(),
    /** The decision that is taken back. `to` is the status that the report had before it. */
    undoes: Type.Optional(
      strict({
        /** Revision of the `ReportApproved` or `ReportRejected`. */
        revision: Type.Integer({ minimum: 1 }),
        /** The question that the decision had closed. It is open again, until its link expires. */
        question_id: Type.Optional(Type.String({ format: "uuid" })),
      }),
    ),
  }),
  {},
);

/**
 * The reporter is erased and the report stays. The key of the reporter's part is destroyed right
 * after this event, so nobody can confirm, claim or change that part any more.
 */
export const ReporterErased = defineEvent("ReporterErased", 1, strict({}), {});

/**
 * An account took over a report that was submitted from its address without an account. The report
 * belongs to it from here on, like one that it submitted. Both had confirmed the address.
 */
export const ReportClaimed = defineEvent(
  "ReportClaimed",
  1,
  strict({ account_id: Type.String({ format: "uuid" }) }),
  {},
);

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

/* What a DMCA notice does to a report. Nothing is deleted: each has an event that takes it back. */

/** Why, in words for the reporter. */
const why = { personal: strict({ reason: Type.String({ minLength: 1, maxLength: 1000 }) }) };

/**
 * A notice holds the report: it is under review, and not public, until no notice holds it any more.
 * `from` is the status before, which is `under_review` where another notice holds it already.
 */
export const ReportTakenDown = defineEvent(
  "ReportTakenDown",
  1,
  strict({ notice_id: ReportId, from: ReportStatusCode, verified: Type.Boolean() }),
  why,
  { texts: { personal: textIn("reason") } },
);

/** A notice does not hold the report any more. `to` is `approved` when it was the last one. */
export const ReportPutBack = defineEvent(
  "ReportPutBack",
  1,
  strict({ notice_id: ReportId, to: ReportStatusCode, verified: Type.Boolean() }),
  /** The new address of its page, where its name has changed meanwhile. */
  { personal: strict({ slug: Slug }) },
);

/** A notice holds a published picture: it keeps its key and its bytes, and nobody sees it. */
export const EvidenceWithheld = defineEvent(
  "EvidenceWithheld",
  1,
  strict({ notice_id: ReportId, copy_id: ReportId }),
  why,
  { texts: { personal: textIn("reason") } },
);

/** A notice does not hold the picture any more. */
export const EvidenceReleased = defineEvent(
  "EvidenceReleased",
  1,
  strict({ notice_id: ReportId, copy_id: ReportId }),
  {},
);

/**
 * The report is nobody's from here on: neither the account's that claimed it, nor the one's that
 * submitted it. Whoever confirmed its address may claim it again, unless an account submitted it.
 */
export const ReportDisowned = defineEvent(
  "ReportDisowned",
  1,
  strict({
    /** The account that it was listed under. */
    account_id: Type.String({ format: "uuid" }),
    /**
     * `address_change_undone`: the account claimed it from an address that `EmailChangeUndone` took
     * back. `session_over`: it was sent in a session from before the account was taken over.
     */
    cause: Type.Enum(["address_change_undone", "session_over"]),
  }),
  {},
);

/**
 * A moderator brought an earlier version of the report back. The `ReportEdited` that follows in the same
 * append says what that changed, so that this event changes nothing by itself.
 */
export const ReportVersionRestored = defineEvent(
  "ReportVersionRestored",
  1,
  strict({
    /** Revision of the report's stream after which it said what it says now. */
    revision: Type.Integer({ minimum: 0 }),
  }),
  {},
);

/**
 * A moderator wrote a note for other moderators. Nobody else reads it. It goes with the report's
 * `personal` key, since it speaks of the reported person.
 */
export const ModeratorNoteWritten = defineEvent(
  "ModeratorNoteWritten",
  1,
  strict({}),
  { personal: strict({ note: Type.String({ minLength: 1 }) }) },
  { required: ["personal"], texts: { personal: textIn("note") } },
);

export const reportDecisionDefinitions = [
  ReportApproved,
  ReportRejected,
  ReportStatusSet,
  ReporterErased,
  ReportClaimed,
  ReportVerificationResent,
  ReportVerifiedByLink,
  ReportVerifiedByAccount,
  ReportVerifiedByHand,
  ReportVerificationWithdrawn,
  ReportTakenDown,
  ReportPutBack,
  EvidenceWithheld,
  EvidenceReleased,
  ReportDisowned,
  ReportVersionRestored,
  ModeratorNoteWritten,
] as const;
