import { type Static, Type } from "typebox";
import { ReportId, strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { StoredFileType } from "../report/evidence-events.ts";
import { Address, Text } from "../user/account-state.ts";

/** Maximum length of a note or a staff answer in the log, in characters. */
export const NOTE_LENGTH = 4000;
/** Maximum length of a sender's reply, in characters. */
export const REPLY_LENGTH = 5000;

/** A code. The log does not restrict the values. */
export const Code = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

/** Everything the sender wrote. Each answer names its field, since forms change over the years. */
const answered = {
  name: Text,
  email: Address,
  answers: Type.Array(strict({ field: Type.String({ minLength: 1, maxLength: 40 }), text: Text })),
};
const Sender = strict(answered);

/** A file attached to an inquiry, kept in the file store under the inquiry's ID and key. */
const Document = strict({
  name: Text,
  type: StoredFileType,
  /** Size of the stored file; pictures are re-encoded. */
  bytes: Type.Integer({ minimum: 1 }),
  /** Hex SHA-256 of the stored file. */
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type InquiryDocument = Static<typeof Document>;

/** First event of a case: its form and the answers. */
export const received = { clear: strict({ kind: Code }), parts: { sender: Sender } };
export const required = { required: ["sender"] } as const;
/** The key is destroyed right after this event. `by`: `retention`, `operator`, or the admin's reason code. */
export const erased = strict({ by: Code });

/** Someone sent an inquiry about a plan or for law enforcement. */
export const InquiryReceived = defineEvent(
  "InquiryReceived",
  1,
  received.clear,
  { sender: strict({ ...answered, document: Type.Optional(Document) }) },
  required,
);

/** The operator viewed the inquiry. Appended before it is shown. */
export const InquiryViewed = defineEvent("InquiryViewed", 1, strict({}), {});
/**
 * The operator opened the attached document, or its sender exported it. The metadata says who.
 * Appended before it is sent.
 */
export const InquiryDocumentViewed = defineEvent("InquiryDocumentViewed", 1, strict({}), {});

/** Staff changed the status. The codes are those of the contract at the time. */
export const InquiryStatusChanged = defineEvent(
  "InquiryStatusChanged",
  1,
  strict({ from: Code, to: Code }),
  {},
);

/** Staff added a note, encrypted with the inquiry's key. */
export const InquiryNoteAdded = defineEvent(
  "InquiryNoteAdded",
  1,
  strict({ note_id: ReportId }),
  { note: strict({ text: Type.String({ minLength: 1, maxLength: NOTE_LENGTH }) }) },
  { required: ["note"] },
);

/** Staff answered. The email to the sender has the link, whose ID is the answer's. */
export const InquiryAnswered = defineEvent(
  "InquiryAnswered",
  1,
  strict({ link: OneTimeLink }),
  { note: strict({ text: Type.String({ minLength: 1, maxLength: NOTE_LENGTH }) }) },
  { required: ["note"] },
);

/** The sender replied to an answer with its link. */
export const InquiryReplied = defineEvent(
  "InquiryReplied",
  1,
  strict({ answer_id: ReportId }),
  { sender: strict({ text: Type.String({ minLength: 1, maxLength: REPLY_LENGTH }) }) },
  { required: ["sender"] },
);

/**
 * An admin opened a report to answer a law enforcement request. Appended before the data is sent.
 * `revision` is that of the report's last event.
 */
export const ReportDisclosed = defineEvent(
  "ReportDisclosed",
  1,
  strict({ report_id: ReportId, revision: Type.Integer({ minimum: 0 }) }),
  {},
);
export const InquiryErased = defineEvent("InquiryErased", 1, erased, {});

/* DMCA notices and counter-notices. Every part is sealed with the notice's own key. */

/** A report, or a published picture of its evidence, that a notice is about. */
const target = { report_id: ReportId, copy_id: Type.Optional(ReportId) };
/** The reason, for staff. */
const decision = { decision: strict({ reason: Type.String({ minLength: 1, maxLength: 1000 }) }) };

/** Someone sent a DMCA notice or counter-notice. */
export const NoticeReceived = defineEvent(
  "NoticeReceived",
  1,
  received.clear,
  received.parts,
  required,
);
export const NoticeViewed = defineEvent("NoticeViewed", 1, strict({}), {});

/** Staff linked what the notice is about. */
export const NoticeLinked = defineEvent("NoticeLinked", 1, strict(target), {});
/** Staff removed a link. */
export const NoticeUnlinked = defineEvent("NoticeUnlinked", 1, strict(target), {});

/** A notice or counter-notice was refused. Its sender is emailed the sentence of the code. */
export const NoticeRefused = defineEvent(
  "NoticeRefused",
  1,
  strict({ reason_code: Code }),
  decision,
);

/** The request was carried out: the material was taken down or restored. The reports' events come before this one. */
export const NoticeGranted = defineEvent(
  "NoticeGranted",
  1,
  strict({
    /** `taken_down` for a notice, `restored` for a counter-notice. The log does not restrict the codes. */
    outcome: Code,
  }),
  decision,
);

/** A counter-notice answers this notice. The notice's sender is emailed. */
export const NoticeCountered = defineEvent(
  "NoticeCountered",
  1,
  strict({ counter_notice_id: ReportId }),
  {},
);

/** The material was restored. The reports' events come before this one. */
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

/** The counter-notice answers that notice. `NoticeCountered` comes before, in the notice's stream. */
export const CounterNoticeLinked = defineEvent(
  "CounterNoticeLinked",
  1,
  strict({ notice_id: ReportId }),
  {},
);

/** Staff added a note about a notice. */
export const NoticeNoteAdded = defineEvent(
  "NoticeNoteAdded",
  1,
  strict({ note_id: ReportId }),
  { note: strict({ text: Type.String({ minLength: 1, maxLength: NOTE_LENGTH }) }) },
  { required: ["note"] },
);

export const NoticeErased = defineEvent("NoticeErased", 1, erased, {});

export const inquiryDefinitions = [
  InquiryReceived,
  InquiryViewed,
  InquiryDocumentViewed,
  InquiryStatusChanged,
  InquiryNoteAdded,
  InquiryAnswered,
  InquiryReplied,
  ReportDisclosed,
  InquiryErased,
  NoticeReceived,
  NoticeViewed,
  NoticeLinked,
  NoticeUnlinked,
  NoticeRefused,
  NoticeGranted,
  NoticeCountered,
  NoticeLifted,
  CounterNoticeLinked,
  NoticeNoteAdded,
  NoticeErased,
] as const;
