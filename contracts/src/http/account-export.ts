import { type Static, Type } from "typebox";
import { ReportStatusCode, strict } from "../report/fields.ts";
import { User } from "./auth.ts";
import { reply } from "./envelope.ts";
import { FullReport } from "./report-view.ts";
import { OwnSession } from "./sessions.ts";

const opt = Type.Optional;
const Time = Type.String();

/** Reports of one page of an export, at most. */
export const EXPORTED_REPORTS = 50;
/** Sessions and events of the account that an export holds: the newest. */
export const EXPORTED_SESSIONS = 100;
export const EXPORTED_EVENTS = 1000;

/** POST /prod/api/auth/export: the first page without a body, then `next` of the page before. */
export const ExportData = strict({ next: opt(Type.String({ minLength: 1, maxLength: 200 })) });

/** A session, also one that ended within the last day. */
export const ExportedSession = strict({ ...OwnSession.properties, ended_at: opt(Time) });
export type ExportedSession = Static<typeof ExportedSession>;

/** Something that happened to the account. */
export const ExportedEvent = strict({
  /** As the log names it. */
  event: Type.String(),
  at: Time,
  /** As in the list of sessions; only of what the account did itself. */
  device: opt(Type.String()),
  network: opt(Type.String()),
});
export type ExportedEvent = Static<typeof ExportedEvent>;

const AnyStatus = Type.Union([ReportStatusCode, Type.Literal("deleted")]);

/** A report that the account submitted. */
export const ExportedReport = strict({
  id: Type.String({ format: "uuid" }),
  submitted_at: Time,
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
});
export type ExportedReport = Static<typeof ExportedReport>;

/** What is stored about an account itself. */
export const ExportedAccount = strict({
  exported_at: Time,
  account: User,
  /** Another address that waits for its confirmation. */
  email_change: opt(strict({ email: Type.String(), expires_at: Time })),
  /** Those used last. */
  sessions: Type.Array(ExportedSession, { maxItems: EXPORTED_SESSIONS }),
  /** The newest events of the account, oldest first. */
  history: Type.Array(ExportedEvent, { maxItems: EXPORTED_EVENTS }),
});
export type ExportedAccount = Static<typeof ExportedAccount>;

export const ExportPage = strict({
  /** On the first page alone. */
  about: opt(ExportedAccount),
  reports: Type.Array(ExportedReport, { maxItems: EXPORTED_REPORTS }),
  /** Token of the next page; null on the last. */
  next: Type.Union([Type.String(), Type.Null()]),
});
export type ExportPage = Static<typeof ExportPage>;
export const ExportReply = reply(ExportPage);
