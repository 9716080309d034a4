import { type Static, type TObject, Type } from "typebox";
import { catalogue } from "../report/catalogue.ts";
import {
  codes,
  edited,
  ReportId,
  ReportStatusCode,
  reportFields,
  strict,
} from "../report/fields.ts";
import { NOTE_CHARS, QUESTION_CHARS, REASON_CHARS } from "../report/reporter-rules.ts";
import { DELETION_REASONS, REJECTION_REASONS } from "../report/words.ts";
import type { CommandRow } from "./command-row.ts";

/** Path of a report for moderators. Commands are below it. */
export const ADMIN_REPORT = "/prod/api/admin/reports/:id";

const opt = Type.Optional;
const Nothing = strict({});
const Reason = Type.String({ minLength: 1, maxLength: REASON_CHARS });

/** An absent or empty field keeps its value; `null` clears it. A field equal to its mask is unchanged. */
export const EditReport = strict({
  ...edited(catalogue, reportFields),
  /** A changed status runs the command for it; `rejected` needs a `reason`. */
  status: opt(ReportStatusCode),
  verified: opt(Type.Boolean()),
  reason: opt(Reason),
});
export type EditReport = Static<typeof EditReport>;

interface Moderation extends CommandRow {
  /** Whether an empty text in the body counts as absent. */
  readonly dropsEmpty?: true;
}

/** All moderator commands, for the routes, HAProxy's lists, types, the console's calls and the audit log. */
export const MODERATION = {
  approve: {
    type: "ApproveReport",
    title: "Approve report",
    method: "POST",
    path: "/approve",
    body: Nothing,
    summary: "Approve a report",
    done: "Report approved",
  },
  reject: {
    type: "RejectReport",
    title: "Reject report",
    method: "POST",
    path: "/reject",
    /** One of the two, or both; `other` requires the text. */
    body: strict({
      reason_code: opt(codes(REJECTION_REASONS)),
      reason: opt(Reason),
      /** The report that it duplicates; only with the code `duplicate`. */
      duplicate_of: opt(ReportId),
    }),
    dropsEmpty: true,
    summary: "Reject a report, with a reason from the list, a text, or both",
    done: "Report rejected",
  },
  status: {
    type: "SetReportStatus",
    title: "Set report's status",
    method: "POST",
    path: "/status",
    body: strict({ status: ReportStatusCode, reason: opt(Reason) }),
    dropsEmpty: true,
    summary: "Set a report's status",
    done: "Status changed",
  },
  undo: {
    type: "UndoDecision",
    title: "Undo a decision",
    method: "POST",
    path: "/undo",
    body: Nothing,
    summary: "Undo your own decision within 60 seconds",
    done: "Decision undone",
  },
  ask: {
    type: "AskReporter",
    title: "Ask the reporter a question",
    method: "POST",
    path: "/question",
    body: strict({
      question: Type.String({ minLength: 1, maxLength: QUESTION_CHARS, pattern: "\\S" }),
    }),
    dropsEmpty: true,
    summary: "Ask the reporter a question; emails it to the confirmed address",
    done: "Question sent",
  },
  withdrawQuestion: {
    type: "WithdrawQuestion",
    title: "Withdraw a question to the reporter",
    method: "POST",
    path: "/question/withdraw",
    body: Nothing,
    summary: "Withdraw the question awaiting an answer",
    done: "Question withdrawn",
  },
  note: {
    type: "WriteNote",
    title: "Write a note for moderators",
    method: "POST",
    path: "/note",
    body: strict({ note: Type.String({ minLength: 1, maxLength: NOTE_CHARS, pattern: "\\S" }) }),
    dropsEmpty: true,
    summary: "Write a note about a report for moderators only",
    done: "Note saved",
  },
  verify: {
    type: "VerifyReportByHand",
    title: "Verify email manually",
    method: "POST",
    path: "/verify",
    body: Nothing,
    summary: "Verify the reporter's address manually",
    done: "Email verified manually",
  },
  edit: {
    type: "EditReport",
    title: "Edit report",
    method: "PUT",
    path: "",
    body: EditReport,
    dropsEmpty: true,
    summary: "Edit a report",
    done: "Report updated successfully",
  },
  restore: {
    type: "RestoreReport",
    title: "Restore an earlier version of a report",
    method: "POST",
    path: "/restore",
    /** The revision of its history to restore. */
    body: strict({ revision: Type.Integer({ minimum: 0, maximum: 1_000_000 }) }),
    summary: "Restore a report's texts after a revision, as a new edit",
    done: "Earlier version restored",
  },
  mask: {
    type: "MaskText",
    title: "Mask private text",
    method: "POST",
    path: "/mask",
    body: strict({
      /** Revision of the texts that the places are in. */
      revision: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      /** In UTF-16 units, `end` exclusive. Absent: everything that looks private. */
      places: opt(
        Type.Array(
          strict({
            /**
             * `description`, `chargebacks.0.notes`, `questions.1.answer`, `moderator_notes.0.note`; `reason` is
             * the one in the revision's event.
             */
            field: Type.String({
              pattern: "^[a-z_]{1,40}(?:\\.[0-9]{1,4})?(?:\\.[a-z_]{1,40})?$",
            }),
            start: Type.Integer({ minimum: 0, maximum: 10_000 }),
            end: Type.Integer({ minimum: 1, maximum: 10_000 }),
          }),
          { minItems: 1, maxItems: 50 },
        ),
      ),
    }),
    summary: "Mask private text permanently, here and in every copy",
    done: "Private text masked",
  },
  delete: {
    type: "DeleteReport",
    title: "Delete report",
    method: "DELETE",
    path: "",
    /** The reason code defaults to `other`. */
    body: strict({ reason_code: opt(codes(DELETION_REASONS)) }),
    summary: "Delete a report: hide it everywhere and erase it later",
    done: "Report deleted successfully",
  },
  undoDelete: {
    type: "UndoDeletion",
    title: "Undo a report's deletion",
    method: "POST",
    path: "/undo-deletion",
    body: Nothing,
    summary: "Undo a deletion before the report is erased, or a request for one",
    done: "Deletion undone",
  },
} as const satisfies Readonly<Record<string, Moderation>>;

type Rows = typeof MODERATION;
export type ModerationName = keyof Rows;
export const MODERATION_NAMES = Object.keys(MODERATION) as readonly ModerationName[];

/** The body of a command. */
export type ModerationBody<N extends ModerationName> = Static<Rows[N]["body"]>;

/** A moderator's command as data. */
export type ModerationCommand = {
  [N in ModerationName]: { readonly type: Rows[N]["type"]; readonly body: ModerationBody<N> };
}[ModerationName];

/** Returns the row of a command, typed like every other row. */
export function moderation(name: ModerationName): Moderation {
  return MODERATION[name];
}

/** The commands that decide a report. */
export const DECISIONS = ["approve", "reject", "status"] as const satisfies ModerationName[];

/** The report `revision` that the sender of a decision saw: 409 `conflict` if it has changed since. */
const seen = { revision: opt(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })) };
export type SeenRevision = Static<ReturnType<typeof strict<typeof seen>>>;

export function isDecision(name: ModerationName): boolean {
  return DECISIONS.some((decision) => decision === name);
}

/** Returns the request body of a command. A decision's also includes the revision that its sender saw. */
export function moderationRequest(name: ModerationName): TObject {
  const { body } = moderation(name);
  return isDecision(name) ? strict({ ...body.properties, ...seen }) : body;
}

/** @param body valid against the command's schema. */
export function moderationCommand<N extends ModerationName>(
  name: N,
  body: ModerationBody<N>,
): ModerationCommand {
  return { type: MODERATION[name].type, body } as ModerationCommand;
}
