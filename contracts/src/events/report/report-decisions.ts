import { Type } from "typebox";
import { ReportId, ReportStatusCode, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { textIn } from "./report-texts.ts";
import { Slug } from "./stored-report.ts";

/** The report's previous status, and whether the reporter's address was verified then. */
const decided = { from: ReportStatusCode, verified: Type.Boolean() };
/** A reason code. The log does not restrict the values. */
const ReasonCode = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

/** The decision being undone. The report gets its previous status back. */
const undoes = {
  /** Revision of the decision. */
  revision: Type.Integer({ minimum: 1 }),
  /** Set if the decision now in force again was never emailed: this event triggers that email. */
  untold: Type.Optional(Type.Literal(true)),
};

/** A moderator approved the report, which is now public, or undid what withdrew it. */
export const ReportApproved = defineEvent(
  "ReportApproved",
  1,
  strict({ ...decided, undoes: Type.Optional(strict(undoes)) }),
  {
    /** New slug of its page: on first approval, and on a later one if the name has changed. */
    personal: strict({ slug: Slug }),
  },
);

/** A moderator rejected the report with a text, a reason code, or both, or undid what came after that. */
export const ReportRejected = defineEvent(
  "ReportRejected",
  1,
  strict({
    ...decided,
    reason_code: Type.Optional(ReasonCode),
    /** The report that it duplicates. */
    duplicate_of: Type.Optional(ReportId),
    undoes: Type.Optional(strict(undoes)),
  }),
  { personal: strict({ reason: Type.String({ minLength: 1 }) }) },
  { oneOf: ["reason_code", "personal"], texts: { personal: textIn("reason") } },
);

/** A moderator set the report to `pending` or `under_review`, or undid a decision. */
export const ReportStatusSet = defineEvent(
  "ReportStatusSet",
  1,
  strict({
    from: ReportStatusCode,
    to: Type.Enum(["pending", "under_review"]),
    verified: Type.Boolean(),
    undoes: Type.Optional(
      strict({
        ...undoes,
        /** The question that the decision had closed. It is open again until its link expires. */
        question_id: Type.Optional(Type.String({ format: "uuid" })),
      }),
    ),
  }),
  {},
);

/**
 * The reporter was erased; the report stays. The key of the `reporter` part is destroyed right
 * after this event. No one can confirm, claim or change that part anymore.
 */
export const ReporterErased = defineEvent("ReporterErased", 1, strict({}), {});

/**
 * An account claimed a report submitted from its address without an account. Both had confirmed the
 * address. The report now belongs to the account.
 */
export const ReportClaimed = defineEvent(
  "ReportClaimed",
  1,
  strict({ account_id: Type.String({ format: "uuid" }) }),
  {},
);

/** The reporter, or someone else who entered the address, requested another link. Earlier links stay valid. */
export const ReportVerificationResent = defineEvent(
  "ReportVerificationResent",
  1,
  strict({ link: OneTimeLink }),
  {},
);

/** The reporter opened the emailed link. */
export const ReportVerifiedByLink = defineEvent(
  "ReportVerifiedByLink",
  1,
  strict({ link_id: Type.String({ format: "uuid" }) }),
  {},
);

/**
 * The account that submitted the report had confirmed the reporter's address as its own. Part of
 * the append of `ReportSubmitted`, which then has no link.
 */
export const ReportVerifiedByAccount = defineEvent("ReportVerifiedByAccount", 1, strict({}), {});

/** An admin verified the reporter's address. */
export const ReportVerifiedByHand = defineEvent("ReportVerifiedByHand", 1, strict({}), {});

/** An admin withdrew the verification. */
export const ReportVerificationWithdrawn = defineEvent(
  "ReportVerificationWithdrawn",
  1,
  strict({}),
  {},
);

/* What a DMCA notice does to a report. Nothing is deleted: each event has one that reverses it. */

/** The reason, for the reporter. */
const why = { personal: strict({ reason: Type.String({ minLength: 1, maxLength: 1000 }) }) };

/**
 * A notice put the report under review. It isn't public while any notice applies. `from` is the
 * previous status, which is `under_review` if another notice already applies.
 */
export const ReportTakenDown = defineEvent(
  "ReportTakenDown",
  1,
  strict({ notice_id: ReportId, from: ReportStatusCode, verified: Type.Boolean() }),
  why,
  { texts: { personal: textIn("reason") } },
);

/** A notice no longer applies to the report. `to` is `approved` if it was the last one. */
export const ReportPutBack = defineEvent(
  "ReportPutBack",
  1,
  strict({ notice_id: ReportId, to: ReportStatusCode, verified: Type.Boolean() }),
  /** New slug of its page, if the name changed in the meantime. */
  { personal: strict({ slug: Slug }) },
);

/** A notice hid a published picture. Its key and bytes are kept. */
export const EvidenceWithheld = defineEvent(
  "EvidenceWithheld",
  1,
  strict({ notice_id: ReportId, copy_id: ReportId }),
  why,
  { texts: { personal: textIn("reason") } },
);

/** A notice no longer applies to the picture. */
export const EvidenceReleased = defineEvent(
  "EvidenceReleased",
  1,
  strict({ notice_id: ReportId, copy_id: ReportId }),
  {},
);

/**
 * Removes the report from the account that claimed or submitted it. Anyone who confirmed its
 * address can claim it again, unless an account submitted it.
 */
export const ReportDisowned = defineEvent(
  "ReportDisowned",
  1,
  strict({
    /** The account that had the report. */
    account_id: Type.String({ format: "uuid" }),
    /** Claimed from an address that `EmailChangeUndone` took back, or sent in a session from before a takeover. */
    cause: Type.Enum(["address_change_undone", "session_over"]),
  }),
  {},
);

/**
 * A moderator restored an earlier version of the report. The `ReportEdited` that follows in the
 * same append holds the changes; this event changes nothing itself.
 */
export const ReportVersionRestored = defineEvent(
  "ReportVersionRestored",
  1,
  strict({
    /** Revision of the report's stream whose contents were restored. */
    revision: Type.Integer({ minimum: 0 }),
  }),
  {},
);

/**
 * A moderator wrote a note that only moderators can read. It is encrypted with the report's
 * `personal` key because it concerns the reported person.
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

/**
 * An admin who had deleted too many reports within the hour asked to delete this one. Another admin
 * decides. The report is unchanged.
 */
export const ReportDeletionRequested = defineEvent(
  "ReportDeletionRequested",
  1,
  strict({
    reason_code: ReasonCode,
    /** Accounts of the admins who are emailed about it. */
    told: Type.Optional(
      Type.Array(Type.String({ format: "uuid" }), { minItems: 1, uniqueItems: true }),
    ),
  }),
  {},
);

/** The report was hidden everywhere. Nothing is destroyed until `ReportErased` follows at `erase_at`. */
export const ReportDeleted = defineEvent(
  "ReportDeleted",
  1,
  strict({
    from: ReportStatusCode,
    reason_code: ReasonCode,
    /** When it may be erased. Until it is, an admin can undo the deletion. */
    erase_at: Instant,
  }),
  {},
);

/** A deletion or a request for one was undone. The report has its previous status and address. */
export const ReportDeletionUndone = defineEvent(
  "ReportDeletionUndone",
  1,
  strict({ to: ReportStatusCode }),
  {},
);

/**
 * A deleted report was erased. Both of its keys and those of its files are destroyed right after
 * this event. Each file has an `EvidenceErased` before it.
 */
export const ReportErased = defineEvent("ReportErased", 1, strict({}), {});

export const reportDeletionDefinitions = [
  ReportDeletionRequested,
  ReportDeleted,
  ReportDeletionUndone,
  ReportErased,
] as const;
