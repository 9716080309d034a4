import type { OpenData } from "../definition.ts";
import type { ReportEvent } from "../index.ts";
import type { ReporterWarned } from "./reporter-warnings.ts";

/** A warning of the report's reporter that counts. */
export type ReporterWarning = OpenData<typeof ReporterWarned>;

/** The warnings that count after one more event, at most one of each notice. */
export function evolveWarnings(
  warnings: readonly ReporterWarning[],
  event: ReportEvent,
): readonly ReporterWarning[] {
  if (event.type !== "ReporterWarned" && event.type !== "ReporterWarningLifted") return warnings;
  const { data } = event;
  const others = warnings.filter(({ notice_id }) => notice_id !== data.notice_id);
  return event.type === "ReporterWarned" ? [...others, event.data] : others;
}
