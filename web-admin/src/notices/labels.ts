import type { ListedNotice, NoticeStep } from "#contracts/http/admin-notices.ts";
import { LIFT_REASONS, NOTICE_REFUSALS } from "#contracts/notice/notice-rules.ts";
import { type TimeLeft, timeLeft } from "../shared/cases/Deadline.tsx";
import { durationText } from "../shared/formats.ts";

/** From this many hours on, time is shown in days. */
const DAYS_FROM = 72;

/** Returns e.g. "5 hours left", "2 days late" or "Can be restored in 14 days". @param now in milliseconds. */
export function clockText(
  {
    due_at,
    not_before,
    decided_at,
    status,
  }: Pick<ListedNotice, "due_at" | "not_before" | "decided_at" | "status">,
  now: number,
): TimeLeft {
  const due = Date.parse(due_at);
  if (decided_at !== undefined)
    return {
      text: Date.parse(decided_at) <= due ? "Decided in time" : "Decided late",
      isLate: false,
    };
  const isWaiting = not_before !== undefined && now < Date.parse(not_before);
  if (isWaiting && status === "passed_on")
    return {
      text: `Can be restored in ${durationText(Date.parse(not_before) - now, DAYS_FROM)}`,
      isLate: false,
    };
  return timeLeft(due, now, DAYS_FROM);
}

/** Describes a step, e.g. "Linked to report R-7F3A9-C21B0". */
export function noticeStepText({ type, target, notice, reason_code }: NoticeStep): string {
  const about = `report ${target?.report_number ?? ""}${target?.copy_id ? ", one picture" : ""}`;
  switch (type) {
    case "received":
      return "Received";
    case "viewed":
      return "Message viewed";
    case "note":
      return "Note";
    case "linked":
      return `Linked to ${about}`;
    case "unlinked":
      return `Unlinked from ${about}`;
    case "refused":
      return `Refused: ${refusalLabel(reason_code)}`;
    case "taken_down":
      return "Material taken down";
    case "restored":
      return "Material restored";
    case "countered":
      return `Counter-notice ${notice?.number ?? ""} received`;
    case "lifted":
      return `Material restored: ${liftLabel(reason_code)}`;
    case "passed_on":
      return `Forwarded as an answer to notice ${notice?.number ?? ""}`;
  }
}

function refusalLabel(code = ""): string {
  const rows: Readonly<Record<string, { readonly label: string }>> = NOTICE_REFUSALS;
  return (rows[code]?.label ?? "other").toLowerCase();
}

function liftLabel(code = ""): string {
  const rows: Readonly<Record<string, string>> = LIFT_REASONS;
  return (rows[code] ?? "a counter-notice").toLowerCase();
}
