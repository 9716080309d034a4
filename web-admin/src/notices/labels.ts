import type { ListedNotice, NoticeStep } from "#contracts/http/admin-notices.ts";
import { LIFT_REASONS, NOTICE_REFUSALS } from "#contracts/notice/notice-rules.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** How a notice stands against the time that the law or the registry's word gives it. */
export interface ClockWords {
  readonly text: string;
  /** Whether nobody has decided in time. */
  readonly isLate: boolean;
}

/** "5 hours left", "2 days late", "Not before ...". @param now milliseconds. */
export function clockWords(
  {
    due_at,
    not_before,
    decided_at,
    status,
  }: Pick<ListedNotice, "due_at" | "not_before" | "decided_at" | "status">,
  now: number,
): ClockWords {
  const due = Date.parse(due_at);
  if (decided_at !== undefined)
    return {
      text: Date.parse(decided_at) <= due ? "Decided in time" : "Decided late",
      isLate: false,
    };
  const isWaiting = not_before !== undefined && now < Date.parse(not_before);
  if (isWaiting && status === "passed_on")
    return { text: `May be back in ${span(Date.parse(not_before) - now)}`, isLate: false };
  return due >= now
    ? { text: `${span(due - now)} left`, isLate: false }
    : { text: `${span(now - due)} late`, isLate: true };
}

function span(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours === 0) return "less than an hour";
  if (hours < 3 * DAY_HOURS) return hours === 1 ? "1 hour" : `${hours} hours`;
  return `${Math.floor(hours / DAY_HOURS)} days`;
}

/** What was done, in words: "Linked to report R-7F3A9-C21B0". */
export function noticeStepInWords({ type, target, notice, reason_code }: NoticeStep): string {
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
      return "Material put back";
    case "countered":
      return `Counter-notice ${notice?.number ?? ""} received`;
    case "lifted":
      return `Material put back: ${liftLabel(reason_code)}`;
    case "passed_on":
      return `Passed on, as an answer to notice ${notice?.number ?? ""}`;
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
