import { sentenceCase } from "../shared/labels.ts";

export const AUDIT_STATUSES = {
  success: "Success",
  failure: "Failure",
  warning: "Warning",
} as const;

export function auditStatusText(status: keyof typeof AUDIT_STATUSES): string {
  return AUDIT_STATUSES[status];
}

/** What an action changed, in words, and the report that it belongs to. */
export interface AuditResource {
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
  mail: "Mail",
};

/** Reads a stream's name: `report-1b9d6bcd-...` is "Report 1b9d6bcd". */
export function resourceOf(stream: string): AuditResource {
  if (stream === "log") return { text: "Event log" };
  if (stream === "settings") return { text: "Settings" };
  const match = /^([a-z]+)-(.+)$/.exec(stream);
  if (!match) return { text: sentenceCase(stream) };
  const [, kind = "", id = ""] = match;
  const text = `${KINDS[kind] ?? sentenceCase(kind)} ${id.slice(0, 8)}`;
  return kind === "report" ? { text, reportId: id } : { text };
}
