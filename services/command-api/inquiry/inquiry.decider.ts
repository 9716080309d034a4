import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { InquiryEvent } from "#contracts/events/index.ts";
import type { InquiryDocument } from "#contracts/events/inquiry/inquiry-events.ts";
import {
  type InquiryAnswer,
  type InquiryState,
  type NoticeTarget,
  sameTarget,
} from "#contracts/events/inquiry/inquiry-fold.ts";
import { MAX_INQUIRY_NOTES } from "#contracts/http/admin-inquiries.ts";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import type { InquiryForm, InquiryKind } from "#contracts/inquiry/inquiry-forms.ts";
import {
  type InquiryStatus,
  MAX_INQUIRY_ANSWERS,
  REPLY_DAYS,
} from "#contracts/inquiry/inquiry-status.ts";
import {
  ENDED_NOTICES,
  HOLDING_NOTICES,
  type LiftReason,
  MAX_TARGETS,
  NOTICE_STATUSES,
  type NoticeDeletion,
  type NoticeRefusal,
  type NoticeStatus,
} from "#contracts/notice/notice-rules.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import { linkInvalid } from "../report/report.decider.ts";

interface Seen {
  /** Revision that the sender saw: how often it had been linked or decided. Undefined skips the check. */
  readonly revision: number | undefined;
}

/** Staff commands for notices and counter-notices. */
export type NoticeCommand =
  | ({ readonly type: "LinkNotice"; readonly target: NoticeTarget } & Seen)
  | ({ readonly type: "UnlinkNotice"; readonly target: NoticeTarget } & Seen)
  | ({
      readonly type: "RefuseNotice";
      readonly reasonCode: NoticeRefusal;
      readonly reason: string | undefined;
    } & Seen)
  /** The material was taken down. */
  | ({ readonly type: "GrantNotice"; readonly reason: string | undefined } & Seen)
  /** A counter-notice responds to it. */
  | { readonly type: "CounterNotice"; readonly counterNoticeId: string }
  /** The material was restored. */
  | ({
      readonly type: "LiftNotice";
      readonly by: LiftReason | "counter_notice";
      readonly counterNoticeId?: string;
    } & Seen)
  /** Links the counter-notice to the notice that it responds to. */
  | ({ readonly type: "PassOnCounterNotice"; readonly noticeId: string } & Seen)
  /** The material was restored because of the counter-notice. */
  | ({
      readonly type: "GrantCounterNotice";
      /** Earliest time of the restoration, RFC 3339. */
      readonly notBefore: string;
    } & Seen)
  /** Erases what was sent. */
  | ({ readonly type: "DeleteNotice"; readonly reasonCode: NoticeDeletion } & Seen);

export type InquiryCommand =
  | {
      readonly type: "SendInquiry";
      readonly kind: InquiryKind;
      /** Nonempty texts by field. */
      readonly answers: Readonly<Record<string, string>>;
      readonly upload?: NamedUpload;
    }
  | { readonly type: "ViewInquiry" }
  | { readonly type: "ViewInquiryDocument" }
  | {
      readonly type: "ChangeInquiryStatus";
      readonly status: InquiryStatus;
      /** Number of status changes that the sender had seen. */
      readonly revision: number;
    }
  | { readonly type: "AddInquiryNote"; readonly text: string }
  | {
      readonly type: "AnswerInquiry";
      readonly text: string;
      /** Number of status changes that the sender had seen. */
      readonly revision: number;
    }
  /** Sent by the sender of the inquiry. */
  | { readonly type: "ReplyToInquiry"; readonly answerId: string; readonly reply: string }
  | {
      readonly type: "DiscloseReport";
      readonly reportId: string;
      readonly revision: number;
    }
  | NoticeCommand
  | { readonly type: "EraseInquiry"; readonly by: "retention" | "operator" };

/** A command with the document made from its upload. */
export type PreparedInquiryCommand = InquiryCommand & { readonly document?: InquiryDocument };

/** Returns the decider for inquiries or for notices. */
export function decideInquiry(family: InquiryForm["family"]) {
  const isNotice = family === "notice";
  return (
    state: InquiryState | undefined,
    command: PreparedInquiryCommand,
    moment: Pick<Moment, "newId" | "now">,
  ): InquiryEvent[] => {
    switch (command.type) {
      case "LinkNotice":
      case "UnlinkNotice":
      case "RefuseNotice":
      case "GrantNotice":
      case "CounterNotice":
      case "LiftNotice":
      case "PassOnCounterNotice":
      case "GrantCounterNotice":
      case "DeleteNotice":
        return decideNotice(state, command, moment);
      case "SendInquiry": {
        const { name = "", email = "", ...others } = command.answers;
        const answers = Object.entries(others).map(([field, text]) => ({ field, text }));
        const sender = { name, email, answers };
        if (state) return [];
        if (isNotice) return [{ type: "NoticeReceived", data: { kind: command.kind, sender } }];
        const { kind, document } = command;
        const data = { kind, sender: { ...sender, ...omitUndefined({ document }) } };
        return [{ type: "InquiryReceived", data }];
      }
      case "ViewInquiry":
        if (!state?.sender) return [];
        return [{ type: isNotice ? "NoticeViewed" : "InquiryViewed", data: {} }];
      case "ViewInquiryDocument":
        return state?.sender?.document ? [{ type: "InquiryDocumentViewed", data: {} }] : [];
      case "ChangeInquiryStatus": {
        const { status: from } = asSeen(state, command);
        if (from === command.status) return [];
        return [{ type: "InquiryStatusChanged", data: { from, to: command.status } }];
      }
      case "AddInquiryNote": {
        if (present(state).notes >= MAX_INQUIRY_NOTES)
          throw new DomainError(
            "note_limit",
            "This inquiry has reached the maximum number of notes.",
          );
        const note = { text: command.text };
        const type = isNotice ? "NoticeNoteAdded" : "InquiryNoteAdded";
        return [{ type, data: { note_id: moment.newId, note } }];
      }
      case "AnswerInquiry": {
        const { status, answers } = asSeen(state, command);
        if (status === "closed")
          throw new DomainError("inquiry_closed", "This inquiry is closed. Reopen it first.");
        if (answers.length >= MAX_INQUIRY_ANSWERS)
          throw new DomainError(
            "answer_limit",
            "This inquiry has reached the maximum number of answers.",
          );
        const link = linkFrom(moment, REPLY_DAYS * 86_400_000);
        return [{ type: "InquiryAnswered", data: { link, note: { text: command.text } } }];
      }
      case "ReplyToInquiry": {
        const { answerId: answer_id, reply: text } = command;
        const answer = openAnswer(state, answer_id, moment.now);
        if (answer.state !== "open")
          throw new DomainError("question_closed", NO_REPLY[answer.state]);
        return [{ type: "InquiryReplied", data: { answer_id, sender: { text } } }];
      }
      case "DiscloseReport": {
        const { reportId: report_id, revision } = command;
        requireDisclosable(state);
        return [{ type: "ReportDisclosed", data: { report_id, revision } }];
      }
      case "EraseInquiry": {
        const data = { by: command.by };
        if (!state || state.isErased) return [];
        return [{ type: isNotice ? "NoticeErased" : "InquiryErased", data }];
      }
    }
  };
}

/** Returns the inquiry if its content isn't erased. */
function present(state: InquiryState | undefined): InquiryState {
  if (!state?.sender) throw notFound();
  return state;
}

/** Returns the inquiry if its status hasn't changed since. @throws {DomainError} `not_found`; `conflict` */
function asSeen(state: InquiryState | undefined, { revision }: { readonly revision: number }) {
  const inquiry = present(state);
  if (inquiry.statusRevision !== revision)
    throw new DomainError("conflict", "Someone else changed this in the meantime.");
  return inquiry;
}

/** Why a reply is no longer accepted. */
const NO_REPLY = {
  replied: "You've already replied to this answer",
  closed: "This inquiry was closed. You can send a new one",
} as const;

/**
 * Returns the answer that a link refers to, and whether a reply is accepted.
 * @param now RFC 3339, UTC.
 * @throws {DomainError} `link_invalid` for an unknown or expired link, and for an erased inquiry.
 */
export function openAnswer(
  state: InquiryState | undefined,
  answerId: string,
  now: string,
): InquiryAnswer & { readonly state: "open" | keyof typeof NO_REPLY } {
  const answer = state?.sender && state.answers.find(({ answer_id }) => answer_id === answerId);
  if (!answer || answer.expires_at <= now) throw linkInvalid();
  if (answer.isReplied) return { ...answer, state: "replied" };
  return { ...answer, state: state.status === "closed" ? "closed" : "open" };
}

/** Requires a law enforcement request that isn't closed. @throws {DomainError} `not_found`; `inquiry_closed` */
export function requireDisclosable(state: InquiryState | undefined): void {
  const { kind, status } = present(state);
  if (kind !== "law_enforcement") throw notFound();
  if (status === "closed")
    throw new DomainError("inquiry_closed", "This request is closed. Start it again first.");
}

/** The error for an inquiry that doesn't exist or was erased. */
export function notFound(): DomainError {
  return new DomainError("not_found", "This inquiry doesn't exist or was erased");
}

/** The error for a notice that doesn't exist or was erased. */
export function noticeNotFound(): DomainError {
  return new DomainError("not_found", "This notice doesn't exist or was erased");
}

/** Decides staff commands for a notice or a counter-notice. */
export function decideNotice(
  state: InquiryState | undefined,
  command: NoticeCommand,
  { now }: Pick<Moment, "now">,
): InquiryEvent[] {
  // Material can be restored even after the notice is erased, because the IDs remain.
  if (!state?.kind || (!state.sender && command.type !== "LiftNotice")) throw noticeNotFound();
  const { kind, notice } = state;
  const isCounter = command.type === "PassOnCounterNotice" || command.type === "GrantCounterNotice";
  const isForBoth = command.type === "RefuseNotice" || command.type === "DeleteNotice";
  if (!isForBoth && isCounter !== (kind === "counter_notice")) throw noticeNotFound();
  if ("revision" in command && command.revision !== undefined)
    if (command.revision !== notice.revision)
      throw new DomainError("conflict", "Someone else changed this in the meantime.");
  const { status } = notice;
  switch (command.type) {
    case "LinkNotice": {
      allow(status, ["new", "in_work"]);
      if (notice.targets.some((target) => sameTarget(target, command.target))) return [];
      if (notice.targets.length >= MAX_TARGETS)
        throw new DomainError(
          "link_limit",
          `A notice can be linked to at most ${MAX_TARGETS} items.`,
        );
      return [{ type: "NoticeLinked", data: targetOf(command) }];
    }
    case "UnlinkNotice": {
      allow(status, ["new", "in_work"]);
      if (!notice.targets.some((target) => sameTarget(target, command.target))) return [];
      return [{ type: "NoticeUnlinked", data: targetOf(command) }];
    }
    case "RefuseNotice": {
      allow(status, ["new", "in_work", "passed_on"]);
      const { reasonCode: reason_code } = command;
      if (reason_code === "court_action" && kind !== "counter_notice") throw wrongReason();
      if (reason_code === "not_owner" && kind === "counter_notice") throw wrongReason();
      return [{ type: "NoticeRefused", data: { reason_code, ...decided(command) } }];
    }
    case "GrantNotice":
      allow(status, ["new", "in_work"]);
      if (notice.targets.length === 0)
        throw new DomainError("nothing_linked", "Link the affected reports first.");
      return [{ type: "NoticeGranted", data: { outcome: "taken_down", ...decided(command) } }];
    case "CounterNotice": {
      if (notice.counterNotice === command.counterNoticeId) return [];
      allow(status, ["taken_down", "countered"]);
      const data = { counter_notice_id: command.counterNoticeId };
      return [{ type: "NoticeCountered", data }];
    }
    case "LiftNotice": {
      // What a take-down left hidden can still be restored, even if the notice was erased before it was closed.
      if (status === "lifted" || status === "refused") return [];
      if (!state.sender && (status === "new" || status === "in_work")) return [];
      allow(status, ["taken_down", "countered"]);
      const { by, counterNoticeId: counter_notice_id } = command;
      return [{ type: "NoticeLifted", data: { by, ...omitUndefined({ counter_notice_id }) } }];
    }
    case "PassOnCounterNotice":
      allow(status, ["new"]);
      return [{ type: "CounterNoticeLinked", data: { notice_id: command.noticeId } }];
    case "GrantCounterNotice":
      allow(status, ["passed_on"]);
      if (now < command.notBefore)
        throw new DomainError(
          "too_early",
          "The sender of the notice still has time to go to court. Nothing was restored.",
        );
      return [{ type: "NoticeGranted", data: { outcome: "restored" } }];
    case "DeleteNotice":
      // Without its content no one could decide it, answer it or notify its sender.
      if (!ENDED_NOTICES.includes(status))
        throw new DomainError(
          "notice_open",
          HOLDING_NOTICES.includes(status)
            ? "It is still hiding material. Restore the material first."
            : "Its sender is waiting for a decision. Decide it first.",
        );
      return [{ type: "NoticeErased", data: { by: command.reasonCode } }];
  }
}

function targetOf({ target: { report_id, copy_id } }: Extract<NoticeCommand, { target: unknown }>) {
  return { report_id, ...omitUndefined({ copy_id }) };
}

function decided({ reason }: { readonly reason: string | undefined }) {
  return reason === undefined ? {} : { decision: { reason } };
}

function allow(status: NoticeStatus, statuses: readonly NoticeStatus[]): void {
  if (statuses.includes(status)) return;
  throw new DomainError(
    "wrong_status",
    `You can't do this now. Status: ${NOTICE_STATUSES[status]}.`,
  );
}

function wrongReason(): DomainError {
  return refusalOf({ reason_code: "This reason doesn't apply to this kind of notice" });
}
