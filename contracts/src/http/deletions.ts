import { type Static, Type } from "typebox";
import { codes, ReportId, strict } from "../report/fields.ts";
import { REPORT_STATUSES, REPORT_TYPES } from "../report/words.ts";
import { reply } from "./envelope.ts";

const opt = Type.Optional;
const Time = Type.String({ description: "RFC 3339, UTC" });

/** Where admins read which deletions can be undone or need a second admin. */
export const DELETIONS = "/prod/api/admin/deletions";

/** How many of each kind a reply names at most. */
export const LISTED_DELETIONS = 200;

/** Who asked for a deletion, when, and why. */
export const DeletionAsked = strict({
  /** The account; `system` after a restore. */
  by: Type.String(),
  /** First and last name; absent once the account is erased. */
  by_name: opt(Type.String()),
  at: Time,
  reason_code: Type.String(),
});
export type DeletionAsked = Static<typeof DeletionAsked>;

/** A report that is deleted, or is to be. */
export const Deletion = strict({
  ...DeletionAsked.properties,
  /** Of the report. */
  id: ReportId,
  first_name: Type.String(),
  last_name: Type.String(),
  title: Type.String(),
  report_type: codes(REPORT_TYPES),
  /** What it has, or gets back when the deletion is undone. */
  status: codes(REPORT_STATUSES),
  /** When it is erased; absent while the deletion waits for another admin. */
  erase_at: opt(Time),
  /** Where the report concerns the reader, who decides nothing about it. */
  own: opt(Type.Literal(true)),
});
export type Deletion = Static<typeof Deletion>;

/** GET: deletions that wait for another admin, then deleted reports, those first that are erased first. */
export const DeletionsReply = reply(
  strict({
    deletions: Type.Array(Deletion, { maxItems: 2 * LISTED_DELETIONS }),
    /** Whether there are more than these. */
    has_more: Type.Boolean(),
  }),
);
export type Deletions = Static<typeof DeletionsReply>["data"];
