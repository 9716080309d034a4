import { Type } from "typebox";
import { ReportId, ReportStatusCode, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { textIn } from "./report-texts.ts";
import { Slug } from "./stored-report.ts";

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
