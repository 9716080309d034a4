import { type Static, Type } from "typebox";
import { FILE_TYPES } from "../report/evidence-rules.ts";
import { codes, ReportId, ReportStatusCode, strict } from "../report/fields.ts";
import { User } from "./account.ts";
import { reply } from "./envelope.ts";
import { FullReport } from "./report-view.ts";

const opt = Type.Optional;
const Time = Type.String({ description: "RFC 3339, UTC" });
const Token = Type.String({ minLength: 1, maxLength: 400 });

/** Parts of an export in order, with the maximum number of items per page. */
export const EXPORTED = {
  history: 1000,
  sessions: 50,
  claims: 50,
  inquiries: 50,
  reports: 50,
} as const;
export type ExportPart = keyof typeof EXPORTED;
export const EXPORT_PARTS = Object.keys(EXPORTED) as readonly ExportPart[];

/** POST /prod/api/auth/export: no body for the first page, then `next` of the previous page. */
export const ExportData = strict({ next: opt(Token) });

/** Where the account acted from. */
const Place = {
  /** The full IP address, as stored. */
  ip: opt(Type.String()),
  /** Only the network, `203.0.x.x`, for times when someone else may have used the account. */
  network: opt(Type.String()),
  /** "Firefox on Linux" */
  device: opt(Type.String()),
};
export const ExportedPlace = strict(Place);
export type ExportedPlace = Static<typeof ExportedPlace>;

/** Something that happened to the account. */
export const ExportedEvent = strict({
  /** Type of the event in the log. */
  event: Type.String(),
  at: Time,
  /**
   * `you`: the account, or the person who opened its link. `anybody`: the person who typed the address. `system`:
   * includes the operator.
   */
  by: Type.Enum(["you", "anybody", "staff", "system"]),
  /** Only for the account's own actions. */
  ...Place,
});
export type ExportedEvent = Static<typeof ExportedEvent>;

/** A session, however long ago it ended. */
export const ExportedSession = strict({
  id: Type.String({ format: "uuid" }),
  started_at: Time,
  /** Accurate to a quarter of an hour until at most a day after the session's end; then to a day. */
  last_used_at: Time,
  ended_at: opt(Time),
  /** Whether it is the requesting session. */
  current: Type.Boolean(),
  /** Where it was used from, with an entry for each change. */
  uses: Type.Array(strict({ at: Time, ...Place })),
});
export type ExportedSession = Static<typeof ExportedSession>;

/** An earlier report that was added to the account. */
export const ExportedClaim = strict({
  report_id: ReportId,
  at: Time,
  /** When the report was removed from the account again. */
  taken_back_at: opt(Time),
  ...Place,
});
export type ExportedClaim = Static<typeof ExportedClaim>;

const File = { name: Type.String(), type: codes(FILE_TYPES), bytes: Type.Integer() };

/** A form sent to the registry's staff while signed in. */
export const ExportedInquiry = strict({
  id: ReportId,
  /** Reference number that the sender was given, `N-7F3A9-C21B0`. */
  number: opt(Type.String()),
  form: opt(Type.String()),
  sent_at: Time,
  ...Place,
  /** The submitted answers, then staff answers and the sender's replies. */
  answers: Type.Array(strict({ label: Type.String(), text: Type.String() })),
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
  /** Where it was submitted from; absent for a claimed report, which anyone may have sent. */
  submitted_from: opt(ExportedPlace),
  status: AnyStatus,
  /** Whether the reporter's address is confirmed. */
  verified: Type.Boolean(),
  /** Statuses after submission, oldest first. */
  decisions: Type.Array(strict({ status: AnyStatus, at: Time })),
  /** Present while it is rejected. */
  rejection_reason: opt(Type.String()),
  /** Moderators' questions to its reporter, with answers. Texts are absent once erased. */
  questions: Type.Array(
    strict({
      asked_at: Time,
      question: opt(Type.String()),
      answered_at: opt(Time),
      answer: opt(Type.String()),
    }),
  ),
  terms_version: Type.String(),
  /** The submitted report, unmasked. Absent once the report is deleted. */
  report: opt(FullReport),
  /** Files that the account added to it. Each is downloaded separately. */
  files: Type.Array(ExportedFile),
});
export type ExportedReport = Static<typeof ExportedReport>;

/** Data stored about an account itself. */
export const ExportedAccount = strict({
  exported_at: Time,
  account: User,
  /** Saved filters of the console's lists; absent if there are none. */
  saved_filters: opt(
    Type.Array(
      strict({
        list: Type.String(),
        name: Type.String(),
        filter: Type.Record(Type.String(), Type.String()),
      }),
    ),
  ),
  /** Previous addresses of the account, oldest first. */
  former_emails: Type.Array(strict({ email: Type.String(), until: Time })),
  /** A new address that is waiting for confirmation. */
  email_change: opt(strict({ email: Type.String(), expires_at: Time })),
});
export type ExportedAccount = Static<typeof ExportedAccount>;

const most = (part: ExportPart) => ({ maxItems: EXPORTED[part] });

export const ExportPage = strict({
  /** On the first page only. */
  about: opt(ExportedAccount),
  /** The account's events, oldest first. */
  history: Type.Array(ExportedEvent, most("history")),
  /** Oldest first. */
  sessions: Type.Array(ExportedSession, most("sessions")),
  claims: Type.Array(ExportedClaim, most("claims")),
  inquiries: Type.Array(ExportedInquiry, most("inquiries")),
  reports: Type.Array(ExportedReport, most("reports")),
  /** Token of the next page; null on the last. */
  next: Type.Union([Type.String(), Type.Null()]),
  /** Token for downloading the files, valid for an hour from the first page. */
  files: Type.String(),
});
export type ExportPage = Static<typeof ExportPage>;
export const ExportReply = reply(ExportPage);

/** POST /prod/api/auth/export/file: the response is the file. */
export const ExportFile = strict({
  /** `files` of an export page. */
  export: Token,
  file: Type.Union([
    strict({ report_id: ReportId, file_id: ReportId }),
    /** The document of an inquiry. */
    strict({ inquiry_id: ReportId }),
  ]),
});
export type ExportFile = Static<typeof ExportFile>;
