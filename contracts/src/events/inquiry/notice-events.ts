import { Type } from "typebox";
import { ReportId, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Code, erased, NOTE_LENGTH, received, required } from "./inquiry-events.ts";

/* Notices and counter-notices of the DMCA. Every part is sealed under the notice's own key. */

/** A report, or a published picture of its evidence, that a notice is about. */
const target = { report_id: ReportId, copy_id: Type.Optional(ReportId) };
/** Why, in words for staff. */
const decision = { decision: strict({ reason: Type.String({ minLength: 1, maxLength: 1000 }) }) };

/** Somebody sent a DMCA notice or counter-notice. */
export const NoticeReceived = defineEvent(
  "NoticeReceived",
  1,
  received.clear,
  received.parts,
  required,
);
export const NoticeViewed = defineEvent("NoticeViewed", 1, strict({}), {});

/** Staff found what a notice is about. */
export const NoticeLinked = defineEvent("NoticeLinked", 1, strict(target), {});
/** It is not about that. */
export const NoticeUnlinked = defineEvent("NoticeUnlinked", 1, strict(target), {});

/** A notice or a counter-notice has no effect. Its sender is told the code's sentence. */
export const NoticeRefused = defineEvent(
  "NoticeRefused",
  1,
  strict({ reason_code: Code }),
  decision,
);

/**
 * What was asked for is done: the material is down, or back. The events of the reports stand before this one.
 */
export const NoticeGranted = defineEvent(
  "NoticeGranted",
  1,
  strict({
    /** `taken_down` of a notice, `restored` of a counter-notice. The log does not limit the codes. */
    outcome: Code,
  }),
  decision,
);

/** A counter-notice answers this notice, whose sender is told. */
export const NoticeCountered = defineEvent(
  "NoticeCountered",
  1,
  strict({ counter_notice_id: ReportId }),
  {},
);

/** The material is back. The events of the reports stand before this one. */
export const NoticeLifted = defineEvent(
  "NoticeLifted",
  1,
  strict({
    /** Why, e.g. `counter_notice` or `withdrawn`. */
    by: Code,
    counter_notice_id: Type.Optional(ReportId),
  }),
  {},
);

/** The counter-notice answers that notice. `NoticeCountered` stands in the notice's stream before. */
export const CounterNoticeLinked = defineEvent(
  "CounterNoticeLinked",
  1,
  strict({ notice_id: ReportId }),
  {},
);

/** What staff noted about a notice. */
export const NoticeNoteAdded = defineEvent(
  "NoticeNoteAdded",
  1,
  strict({ note_id: ReportId }),
  { note: strict({ text: Type.String({ minLength: 1, maxLength: NOTE_LENGTH }) }) },
  { required: ["note"] },
);

export const NoticeErased = defineEvent("NoticeErased", 1, erased, {});
