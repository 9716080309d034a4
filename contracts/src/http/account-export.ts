import { type Static, Type } from "typebox";
import { FILE_TYPES } from "../report/evidence-rules.ts";
import { codes, ReportId, ReportStatusCode, strict } from "../report/fields.ts";
import { User } from "./account.ts";
import { reply } from "./envelope.ts";
import { FullReport } from "./report-view.ts";

const opt = Type.Optional;
const Time = Type.String({ description: "RFC 3339, UTC" });
const Token = Type.String({ minLength: 1, maxLength: 400 });

/** The parts of an export in their order, and how much of each a page holds at most. */
export const EXPORTED = {
  history: 1000,
  sessions: 50,
  claims: 50,
  inquiries: 50,
  reports: 50,
} as const;
export type ExportPart = keyof typeof EXPORTED;
export const EXPORT_PARTS = Object.keys(EXPORTED) as readonly ExportPart[];

/** POST /prod/api/auth/export: the first page without a body, then `next` of the page before. */
export const ExportData = strict({ next: opt(Token) });

/** From where the account acted. */
const Place = {
  /** The whole IP address, as it was stored. */
  ip: opt(Type.String()),
  /** The network alone, `203.0.x.x`: for a time in which someone else may have used the account. */
  network: opt(Type.String()),
  /** "Firefox on Linux" */
  device: opt(Type.String()),
};
export const ExportedPlace = strict(Place);
export type ExportedPlace = Static<typeof ExportedPlace>;

/** Something that happened to the account. */
export const ExportedEvent = strict({
  /** As the log names it. */
  event: Type.String(),
  at: Time,
  /** `you`: the account, or who opened its link. `anybody`: who typed the address. `system`: also its operator. */
  by: Type.Enum(["you", "anybody", "staff", "system"]),
  /** Only of what the account did itself. */
  ...Place,
});
export type ExportedEvent = Static<typeof ExportedEvent>;

/** A session, however long ago it ended. */
export const ExportedSession = strict({
  id: Type.String({ format: "uuid" }),
  started_at: Time,
  /** To within a quarter of an hour while it is kept, a day after its end at most; then to within a day. */
  last_used_at: Time,
  ended_at: opt(Time),
  /** Whether it is the one that asks. */
  current: Type.Boolean(),
  /** From where it was used, each time that this changed. */
  uses: Type.Array(strict({ at: Time, ...Place })),
});
export type ExportedSession = Static<typeof ExportedSession>;

/** A report from before that was added to the account. */
export const ExportedClaim = strict({
  report_id: ReportId,
  at: Time,
  /** When the report was taken from the account again. */
  taken_back_at: opt(Time),
  ...Place,
});
export type ExportedClaim = Static<typeof ExportedClaim>;

const File = { name: Type.String(), type: codes(FILE_TYPES), bytes: Type.Integer() };

/** A form for the registry's staff that was sent while signed in. */
export const ExportedInquiry = strict({
  id: ReportId,
  /** As it was told, `N-7F3A9-C21B0`. */
  number: opt(Type.String()),
  form: opt(Type.String()),
  sent_at: Time,
  ...Place,
  /** What was sent, and then what was answered and replied. */
  answers: Type.Array(strict({ label: Type.String(), text: Type.String() })),
  /** A document that came with it. */
  document: opt(strict(File)),
});
export type ExportedInquiry = Static<typeof ExportedInquiry>;

/** A file that the account added to a report: evidence, or the letter of a request. */
export const ExportedFile = strict({
  file_id: ReportId,
  /** `evidence`, `letter` */
  kind: Type.String(),
  added_at: Time,
  ...File,
});
export type ExportedFile = Static<typeof ExportedFile>;

const AnyStatus = Type.Union([ReportStatusCode, Type.Literal("deleted")]);

/** A report that the account submitted or claimed. */
export const ExportedReport = strict({
  id: Type.String({ format: "uuid" }),
  submitted_at: Time,
  /** From where; absent of a claimed report, which anyone may have sent. */
  submitted_from: opt(ExportedPlace),
  status: AnyStatus,
  /** Whether the reporter's address is confirmed. */
  verified: Type.Boolean(),
  /** Statuses that it got afterwards, oldest first. */
  decisions: Type.Array(strict({ status: AnyStatus, at: Time })),
  /** Why it was rejected, while it is. */
  rejection_reason: opt(Type.String()),
  /** What moderators asked its reporter, and the answers. Texts are absent once they are erased. */
  questions: Type.Array(
    strict({
      asked_at: Time,
      question: opt(Type.String()),
      answered_at: opt(Time),
      answer: opt(Type.String()),
    }),
  ),
  terms_version: Type.String(),
  /** What was submitted, in the clear. Absent once the report is deleted. */
  report: opt(FullReport),
  /** Files that the account added to it, each to be downloaded on its own. */
  files: Type.Array(ExportedFile),
});
export type ExportedReport = Static<typeof ExportedReport>;

/** What is stored about an account itself. */
export const ExportedAccount = strict({
  exported_at: Time,
  account: User,
  /** Addresses that the account had before, oldest first. */
  /** Filters of the console's lists that the account saved; absent without one. */
  saved_filters: opt(
    Type.Array(
      strict({
        list: Type.String(),
        name: Type.String(),
        filter: Type.Record(Type.String(), Type.String()),
      }),
    ),
  ),
  former_emails: Type.Array(strict({ email: Type.String(), until: Time })),
  /** Another address that waits for its confirmation. */
  email_change: opt(strict({ email: Type.String(), expires_at: Time })),
});
export type ExportedAccount = Static<typeof ExportedAccount>;

const most = (part: ExportPart) => ({ maxItems: EXPORTED[part] });

export const ExportPage = strict({
  /** On the first page alone. */
  about: opt(ExportedAccount),
  /** What happened to the account, oldest first. */
  history: Type.Array(ExportedEvent, most("history")),
  /** Oldest first. */
  sessions: Type.Array(ExportedSession, most("sessions")),
  claims: Type.Array(ExportedClaim, most("claims")),
  inquiries: Type.Array(ExportedInquiry, most("inquiries")),
  reports: Type.Array(ExportedReport, most("reports")),
  /** Token of the next page; null on the last. */
  next: Type.Union([Type.String(), Type.Null()]),
  /** Token with which the files can be downloaded, for an hour from the first page on. */
  files: Type.String(),
});
export type ExportPage = Static<typeof ExportPage>;
export const ExportReply = reply(ExportPage);

/** POST /prod/api/auth/export/file: the answer is the file. */
export const ExportFile = strict({
  /** `files` of a page. */
  export: Token,
  file: Type.Union([
    strict({ report_id: ReportId, file_id: ReportId }),
    /** The document of an inquiry. */
    strict({ inquiry_id: ReportId }),
  ]),
});
export type ExportFile = Static<typeof ExportFile>;
