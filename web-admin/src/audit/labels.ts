import { storedName } from "#contracts/events/settings/settings-fold.ts";
import type { AuditDetails, AuditedEvent } from "#contracts/http/audit.ts";
import type { JobSummary } from "#contracts/http/jobs.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { SETTING_NAMES, settingRow } from "#contracts/settings/catalogue.ts";
import { settingText } from "#contracts/settings/setting-row.ts";
import { counted, formatCount, formatInstant } from "../shared/formats.ts";
import { labelOf, sentenceCase } from "../shared/labels.ts";

export const AUDIT_STATUSES = {
  success: "Success",
  failure: "Failure",
  warning: "Warning",
} as const;

interface AuditResource {
  readonly text: string;
  readonly reportId?: string;
}

const KINDS: Readonly<Record<string, string>> = {
  report: "Report",
  user: "Account",
  session: "Session",
  access: "Data access",
  security: "Security",
  inquiry: "Inquiry",
  notice: "Notice",
  content: "Text",
  system: "System action",
  mail: "Email",
};

/** Describes a stream by its name: `report-1b9d6bcd-...` becomes "Report 1b9d6bcd". */
export function resourceOf(stream: string): AuditResource {
  if (stream === "log") return { text: "Event log" };
  if (stream === "settings") return { text: "Settings" };
  const match = /^([a-z]+)-(.+)$/.exec(stream);
  if (!match) return { text: sentenceCase(stream) };
  const [, kind = "", id = ""] = match;
  const text = `${KINDS[kind] ?? sentenceCase(kind)} ${id.slice(0, 8)}`;
  return kind === "report" ? { text, reportId: id } : { text };
}

const LISTS: Readonly<Record<string, string>> = {
  reports: "Reports",
  users: "Users",
  audit: "Audit log",
  analytics: "Analytics",
};
const CAUSES: Readonly<Record<string, string>> = {
  inactive_account: "Account is not active",
  link_required: "Unknown device, emailed link required",
  code_reused: "Code already used",
  refresh_token_reused: "Refresh token reused",
  ended_by_owner: "Ended by its owner",
  ended_by_admin: "Ended by an admin",
  idle: "Ended after inactivity",
  log_restored: "Ended when the registry was restored from a backup",
};

/** Describes an entry's details, e.g. "Users as CSV, 3 rows" or "Wrong password". */
export function detailsText(details: AuditDetails): string {
  const { list, format, rows, cause, method, route, code, kind, ...others } = details;
  const parts: string[] = [];
  if (typeof list === "string") {
    const name = labelOf(LISTS, list, sentenceCase(list));
    parts.push(typeof format === "string" ? `${name} as ${format.toUpperCase()}` : name);
  }
  if (typeof rows === "number") parts.push(counted(rows, "row", "rows"));
  if (typeof cause === "string") parts.push(labelOf(CAUSES, cause, sentenceCase(cause)));
  if (typeof route === "string") parts.push(`${method} ${route}`);
  if (typeof code === "string") parts.push(sentenceCase(code));
  if (typeof kind === "string") parts.push(mailTitle(kind));
  if (others.erasure_ledger_lost === true) parts.push("The erasure ledger was lost");
  parts.push(...settingsTexts(others));
  return parts.join(", ");
}

function settingsTexts(details: AuditDetails): string[] {
  return SETTING_NAMES.flatMap((name) => {
    const value = details[storedName(name)];
    if (value === undefined) return [];
    const { kind, label } = settingRow(name);
    if (kind === "instant" && value) return [`${label}: ${formatInstant(String(value))}`];
    const set = kind === "off" ? String(value).split(",").filter(Boolean) : value;
    return [`${label}: ${settingText(name, set)}`];
  });
}

/** Describes whether an event is unchanged since it was appended. */
export function chainText(chain: AuditedEvent["chain"]): string {
  return {
    fits: "The event is unchanged: its hash matches the stored data and the previous event.",
    wrong_hash:
      "This event or the previous one was changed: its hash doesn't match the stored data.",
    wrong_revision: "The previous event is missing from the log, or another event was inserted.",
  }[chain];
}

/** Lists the encrypted parts of an event, e.g. "Personal, Reporter (erased)". */
export function sealedText(sealed: AuditedEvent["sealed"]): string {
  return sealed
    .map(({ part, erased }) => sentenceCase(part) + (erased ? " (erased)" : ""))
    .join(", ");
}

type Check = Pick<JobSummary, "state" | "done" | "total" | "error">;

/** Describes the progress or the result of a log check. */
export function logCheckText({ state, done, total, error }: Check): string {
  const events = counted(done, "event", "events");
  switch (state) {
    case "queued":
      return "Waiting to start";
    case "running":
      return total === undefined
        ? `${events} checked`
        : `${formatCount(done)} of ${counted(total, "event", "events")}`;
    case "stopping":
      return "Stopping";
    case "stopped":
      return `Stopped. The first ${events} are intact.`;
    case "done":
      return `All ${events} are intact: none were changed, removed or inserted.`;
    case "failed":
      return error?.message ?? "The check failed.";
  }
}

/** Describes a finished check: `logCheckText` with the time. */
export function lastCheckText(check: Check & Pick<JobSummary, "ended_at" | "created_at">): string {
  return `Last check, ${formatInstant(check.ended_at ?? check.created_at)}: ${logCheckText(check)}`;
}
