import { Type } from "typebox";
import { codes, ReportStatusCode, strict } from "../../report/fields.ts";
import { DELETION_REASONS, REJECTION_REASONS } from "../../report/words.ts";
import { defineEvent, type Upcaster } from "../definition.ts";
import { Slug } from "./stored-report.ts";

const approved = strict({
  from: ReportStatusCode,
  /** Whether the reporter's address was verified at the time. */
  verified: Type.Boolean(),
});

/** A moderator approved the report: it is public from here on. */
export const ReportApproved = defineEvent("ReportApproved", 2, approved, {
  /**
   * A new address of its page: at the first approval, and at a later one when the name is another.
   * Absent, the report keeps the address that it has, or holds since version 1.
   */
  personal: strict({ slug: Slug }),
});

/** Under version 1 a report had its address from the submission on. */
export const reportApprovedUpcasters: readonly Upcaster[] = [
  { from: defineEvent("ReportApproved", 1, approved, {}), upcast: (data) => data },
];

const rejected = { from: ReportStatusCode, verified: Type.Boolean() };
const why = { personal: strict({ reason: Type.String({ minLength: 1 }) }) };

/** A moderator turned the report down, with a reason: a text, a code, or both. */
export const ReportRejected = defineEvent(
  "ReportRejected",
  2,
  strict({ ...rejected, reason_code: Type.Optional(codes(REJECTION_REASONS)) }),
  why,
);

export const reportRejectedUpcasters: readonly Upcaster[] = [
  { from: defineEvent("ReportRejected", 1, strict(rejected), why), upcast: (data) => data },
];

/** A moderator set the report to `pending` or `under_review`. */
export const ReportStatusSet = defineEvent(
  "ReportStatusSet",
  1,
  strict({
    from: ReportStatusCode,
    to: Type.Enum(["pending", "under_review"]),
    verified: Type.Boolean(),
  }),
  {},
);

/**
 * The reporter is erased, and the report stays: the key of the reporter's part is destroyed right
 * after. Nobody can confirm, claim or change that part any more.
 */
export const ReporterErased = defineEvent("ReporterErased", 1, strict({}), {});

/** The report is gone for good; both of its keys are destroyed right after. */
export const ReportDeleted = defineEvent(
  "ReportDeleted",
  1,
  strict({ from: ReportStatusCode, reason_code: codes(DELETION_REASONS) }),
  {},
);
