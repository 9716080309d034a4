import { Type } from "typebox";
import { codes, ReportStatusCode, strict } from "../../report/fields.ts";
import { DELETION_REASONS } from "../../report/words.ts";
import { defineEvent } from "../definition.ts";

/** A moderator approved the report: it is public from here on. */
export const ReportApproved = defineEvent(
  "ReportApproved",
  1,
  strict({
    from: ReportStatusCode,
    /** Whether the reporter's address was verified at the time. */
    verified: Type.Boolean(),
  }),
  {},
);

/** A moderator turned the report down, with a reason. */
export const ReportRejected = defineEvent(
  "ReportRejected",
  1,
  strict({ from: ReportStatusCode, verified: Type.Boolean() }),
  { personal: strict({ reason: Type.String({ minLength: 1 }) }) },
);

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

/** The report is gone for good; both of its keys are destroyed right after. */
export const ReportDeleted = defineEvent(
  "ReportDeleted",
  1,
  strict({ from: ReportStatusCode, reason_code: codes(DELETION_REASONS) }),
  {},
);
