import type { EventMetadata, StoredEvent } from "#event-store/port.ts";

/** Returns the id of the account that the stream is about; undefined for any other stream. */
export function accountOf(stream: string): string | undefined {
  return stream.startsWith("user-") ? stream.slice("user-".length) : undefined;
}

/** Returns the id of the account that acted; undefined for visitors and the system. */
export function accountOfActor({ id, role }: EventMetadata["actor"]): string | undefined {
  return role === "visitor" || role === "system" ? undefined : id;
}

/** Returns the id of the report that the stream is about; undefined for any other stream. */
export function reportOf(stream: string): string | undefined {
  return stream.startsWith("report-") ? stream.slice("report-".length) : undefined;
}

/** Events after which no one finds a report, unless its deletion is undone. */
const REPORT_ENDS: readonly string[] = ["ReportDeleted", "ReportErased"];

/** Returns the id of the report that the event hides or erases. */
export function deletedReport({ stream, type }: StoredEvent): string | undefined {
  return REPORT_ENDS.includes(type) ? reportOf(stream) : undefined;
}
