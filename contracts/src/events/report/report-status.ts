import { Type } from "typebox";
import { ReportStatusCode, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
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
