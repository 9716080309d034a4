import { Type } from "typebox";
import { ReportStatusCode, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";

/** Code of a reason. The log does not limit which codes exist. */
const ReasonCode = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

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

/**
 * The report was hidden everywhere. Nothing is destroyed until `ReportErased` follows at
 * `erase_at`.
 */
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
