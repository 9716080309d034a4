import { Type } from "typebox";
import { ReportStatusCode, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";

/** Code of a reason. The log does not limit which codes exist. */
const ReasonCode = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

/**
 * An admin wants the report deleted, but has deleted too many within the hour: another admin decides. The report
 * stays as it is.
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

/** The report is hidden everywhere. Nothing is destroyed: a `ReportErased` follows once `erase_at` has come. */
export const ReportDeleted = defineEvent(
  "ReportDeleted",
  1,
  strict({
    from: ReportStatusCode,
    reason_code: ReasonCode,
    /** From when on it may be erased. Until it is, an admin can undo the deletion. */
    erase_at: Instant,
  }),
  {},
);

/** A deletion is taken back, or a request for one. The report has the status that it had before, and the same address. */
export const ReportDeletionUndone = defineEvent(
  "ReportDeletionUndone",
  1,
  strict({ to: ReportStatusCode }),
  {},
);

/**
 * A deleted report is removed for good: both of its keys are destroyed right after this event, and those of its
 * files, each of which has an `EvidenceErased` before it.
 */
export const ReportErased = defineEvent("ReportErased", 1, strict({}), {});

export const reportDeletionDefinitions = [
  ReportDeletionRequested,
  ReportDeleted,
  ReportDeletionUndone,
  ReportErased,
] as const;
