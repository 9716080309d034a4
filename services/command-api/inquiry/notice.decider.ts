import { DomainError } from "#contracts/domain-error.ts";
import type { InquiryEvent } from "#contracts/events/index.ts";
import type { InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import { sameTarget } from "#contracts/events/inquiry/notice-fold.ts";
import { given } from "#contracts/given.ts";
import {
  ENDED_NOTICES,
  HOLDING_NOTICES,
  MOST_TARGETS,
  NOTICE_STATUSES,
  type NoticeStatus,
} from "#contracts/notice/notice-rules.ts";
import type { Moment } from "../kernel/command.ts";
import type { NoticeCommand } from "./inquiry.decider.ts";

/** The refusal where there is no such notice, or none any more. */
export function noticeNotFound(): DomainError {
  return new DomainError("not_found", "There is no such notice, or it was erased");
}

/** Decides what staff do about a notice or a counter-notice. */
export function decideNotice(
  state: InquiryState | undefined,
  command: NoticeCommand,
  { now }: Pick<Moment, "now">,
): InquiryEvent[] {
  // Material can be put back when the notice is erased: its ids stay.
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
      if (notice.targets.length >= MOST_TARGETS)
        throw new DomainError("link_limit", `A notice is about at most ${MOST_TARGETS} things.`);
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
        throw new DomainError("nothing_linked", "Link the reports that it is about first.");
      return [{ type: "NoticeGranted", data: { outcome: "taken_down", ...decided(command) } }];
    case "CounterNotice": {
      if (notice.counterNotice === command.counterNoticeId) return [];
      allow(status, ["taken_down", "countered"]);
      const data = { counter_notice_id: command.counterNoticeId };
      return [{ type: "NoticeCountered", data }];
    }
    case "LiftNotice": {
      // What a take-down left hidden can still be put back, also when the notice was erased before its end.
      if (status === "lifted" || status === "refused") return [];
      if (!state.sender && (status === "new" || status === "in_work")) return [];
      allow(status, ["taken_down", "countered"]);
      const { by, counterNoticeId: counter_notice_id } = command;
      return [{ type: "NoticeLifted", data: { by, ...given({ counter_notice_id }) } }];
    }
    case "PassOnCounterNotice":
      allow(status, ["new"]);
      return [{ type: "CounterNoticeLinked", data: { notice_id: command.noticeId } }];
    case "GrantCounterNotice":
      allow(status, ["passed_on"]);
      if (now < command.notBefore)
        throw new DomainError(
          "too_early",
          "The sender of the notice still has time to go to court. Nothing was put back.",
        );
      return [{ type: "NoticeGranted", data: { outcome: "restored" } }];
    case "DeleteNotice":
      // Without its words nobody could decide about it, answer it or tell its sender.
      if (!ENDED_NOTICES.includes(status))
        throw new DomainError(
          "notice_open",
          HOLDING_NOTICES.includes(status)
            ? "It keeps material from being public. Put the material back first."
            : "Its sender waits for a decision. Decide about it first.",
        );
      return [{ type: "NoticeErased", data: { by: command.reasonCode } }];
  }
}

function targetOf({ target: { report_id, copy_id } }: Extract<NoticeCommand, { target: unknown }>) {
  return { report_id, ...given({ copy_id }) };
}

function decided({ reason }: { readonly reason: string | undefined }) {
  return reason === undefined ? {} : { decision: { reason } };
}

function allow(status: NoticeStatus, statuses: readonly NoticeStatus[]): void {
  if (statuses.includes(status)) return;
  throw new DomainError("wrong_status", `This is not possible now: ${NOTICE_STATUSES[status]}.`);
}

function wrongReason(): DomainError {
  const sentence = "This reason does not fit what was sent";
  return new DomainError("invalid_request", sentence, { reason_code: sentence });
}
