import { Type } from "typebox";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";

/** An admin opened an account's encrypted data. Appended before it is shown. */
export const AccountDataViewed = defineEvent(
  "AccountDataViewed",
  1,
  strict({
    account_id: Type.String({ format: "uuid" }),
    /** Revision of the account whose data was shown. */
    revision: Type.Integer({ minimum: 0 }),
  }),
  {},
);

/** Someone opened a file of a report. Appended before it is sent. */
export const EvidenceViewed = defineEvent(
  "EvidenceViewed",
  1,
  strict({
    report_id: Type.String({ format: "uuid" }),
    file_id: Type.String({ format: "uuid" }),
  }),
  {},
);

/** An admin read an email that was sent, or is to be sent. Appended before it is shown. */
export const MailViewed = defineEvent(
  "MailViewed",
  1,
  strict({
    /** Of its row in the outbox: IDs only, no address. */
    mail_id: Type.String({ pattern: "^mail-[0-9a-z_-]{1,200}$" }),
    kind: Type.String({ pattern: "^[a-z0-9_]{1,60}$" }),
    /** Whose email it is. */
    owner: Type.Enum(["report", "account", "inquiry", "notice"]),
    owner_id: Type.String({ format: "uuid" }),
  }),
  {},
);

/** The log's bound is wider than the codes in use, so that another list needs no other version. */
const Code = Type.String({ pattern: "^[a-z0-9_-]{1,40}$" });

/** Staff exported a list. Appended before the first row is sent. */
export const ListExported = defineEvent(
  "ListExported",
  1,
  strict({
    list: Code,
    format: Code,
    /** Rows that matched when it was asked for. No more are given, and fewer where some are gone by then. */
    rows: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
  }),
  /** What was filtered by, absent without a filter. Sealed under the key of the account that asked. */
  { account: strict({ filter: Type.Record(Type.String(), Type.String()) }) },
);

/** Someone opened a report's encrypted data. Appended before it is shown. */
export const PersonalDataViewed = defineEvent(
  "PersonalDataViewed",
  1,
  strict({
    report_id: Type.String({ format: "uuid" }),
    /** Revision of the report whose data was shown. */
    revision: Type.Integer({ minimum: 0 }),
    /** What of it was opened. A part that is erased is missing. */
    parts: Type.Array(Type.Enum(["personal", "reporter"])),
    /** The files that it opens too, for a while: each is then sent without another event. */
    files: Type.Array(Type.String({ format: "uuid" })),
  }),
  {},
);

export const accessDefinitions = [
  AccountDataViewed,
  EvidenceViewed,
  ListExported,
  MailViewed,
  PersonalDataViewed,
] as const;
