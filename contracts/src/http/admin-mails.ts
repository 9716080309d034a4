import { type Static, Type } from "typebox";
import { codes, Email, strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";
import { afterOf, KEYSET_PAGE, Next } from "./keyset.ts";

/** Sent and pending emails, for admins. */
export const ADMIN_MAILS = "/prod/api/admin/mails";
export const RESEND_MAIL = `${ADMIN_MAILS}/:id/resend`;
export const READ_MAIL = `${ADMIN_MAILS}/:id/read`;

/** `failed`: all retries failed. `dropped`: the email was no longer due. */
export const MAIL_STATES = {
  waiting: "Waiting",
  sent: "Sent",
  failed: "Failed",
  dropped: "Not sent",
} as const;
export type MailState = keyof typeof MAIL_STATES;

/** Why an email was not sent. */
export const DROPPED_REASONS: Readonly<Record<string, string>> = {
  deleted: "The report or item it was about was deleted",
  erased: "The recipient was erased",
  superseded: "Out of date: overtaken, or its link has expired",
  unwanted: "The recipient turned these emails off",
  notifications_off: "Notifications are turned off for everyone",
  undeliverable: "Refused by the recipient's server, or given up after the last attempt",
  restored: "From before a restore",
  recipient_cap: "The address had too many emails that day",
  kind_cap: "The address had too many emails of this kind that day",
};

/** Why the text of an email cannot be shown. */
export const UNREADABLE = {
  erased: "The recipient or the report was erased, so nothing of this email is kept.",
  deleted: "The report or item that this email is about was deleted.",
  masked: "Text of the report was masked after this email was written.",
  named: "A report that this email names was deleted, or some of its data was erased.",
  superseded: "This email is out of date and can't be shown.",
  unwanted: "This email was never written: the recipient turned these emails off.",
} as const;

/** Maximum number of times one email can be resent. */
export const MAX_RESENDS = 5;

const MAIL_ID = "mail-[0-9a-z_-]{1,200}";
/** ID of an outbox row. */
export const MailId = Type.String({ pattern: `^${MAIL_ID}$` });
const Time = Type.String();

/** An email, without its text. */
export const ListedMail = strict({
  id: MailId,
  kind: Type.String(),
  state: codes(MAIL_STATES),
  /** The current address, masked, or an inbox's name. Absent once the recipient is unknown. */
  recipient: Type.Optional(Type.String()),
  /** What the email is about. */
  owner: strict({ type: Type.Enum(["report", "account", "inquiry", "notice"]), id: Type.String() }),
  attempts: Type.Integer(),
  /** ID of the template used, or `shipped`. Absent before the email is sent and for kinds without a template. */
  template: Type.Optional(Type.String()),
  /** Code of the reason why it was dropped. */
  reason: Type.Optional(Type.String()),
  /** Class of the last failure. */
  error: Type.Optional(Type.String()),
  /** When it was requested, and when it was sent or given up on. */
  created_at: Time,
  ended_at: Type.Optional(Time),
  /** When it is tried again. */
  next_attempt_at: Type.Optional(Time),
});
export type ListedMail = Static<typeof ListedMail>;

/** GET: newest first. */
export const MailsQuery = strict({
  state: Type.Optional(codes(MAIL_STATES)),
  kind: Type.Optional(Type.String({ pattern: "^[a-z0-9_]{1,60}$" })),
  account: Type.Optional(Type.String({ format: "uuid" })),
  /** A full address: emails of its account, and of the newest reports sent from it. */
  address: Type.Optional(Email),
  after: afterOf("mails", MAIL_ID),
});
export type MailsQuery = Static<typeof MailsQuery>;
export const MailsReply = reply(
  strict({ mails: Type.Array(ListedMail, { maxItems: KEYSET_PAGE }), next: Next }),
);
export type Mails = Static<typeof MailsReply>["data"];

/** POST: resends a failed email. */
export const ResendReply = reply(strict({ id: MailId }));

/** POST: logs the access, then returns the email's text with all links hidden. */
export const ReadMailReply = reply(
  strict({
    subject: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    /** Whether another template is shown because the original one can no longer be read. */
    is_reworded: Type.Optional(Type.Boolean()),
    /** Why there is no text. */
    gone: Type.Optional(codes(UNREADABLE)),
  }),
);
export type ReadMail = Static<typeof ReadMailReply>["data"];
