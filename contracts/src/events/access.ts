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
    /** ID of its outbox row, which contains IDs only, no address. */
    mail_id: Type.String({ pattern: "^mail-[0-9a-z_-]{1,200}$" }),
    kind: Type.String({ pattern: "^[a-z0-9_]{1,60}$" }),
    /** What the email belongs to. */
    owner: Type.Enum(["report", "account", "inquiry", "notice"]),
    owner_id: Type.String({ format: "uuid" }),
  }),
  {},
);

/** Wider than the codes in use, so that a new list needs no new event version. */
const Code = Type.String({ pattern: "^[a-z0-9_-]{1,40}$" });

/** Staff exported a list. Appended before the first row is sent. */
export const ListExported = defineEvent(
  "ListExported",
  1,
  strict({
    list: Code,
    format: Code,
    /**
     * Rows that matched at the time of the request. The export never has more, and has fewer if some are gone by
     * then.
     */
    rows: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
  }),
  /** The filter; absent without one. Sealed with the key of the account that requested the export. */
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
    /** The parts that were opened. Erased parts are absent. */
    parts: Type.Array(Type.Enum(["personal", "reporter"])),
    /** Files that it also opens for a while. Each is then sent without another event. */
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
