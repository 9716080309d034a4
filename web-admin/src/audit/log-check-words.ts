import type { JobSummary } from "#contracts/http/jobs.ts";
import { counted, formatCount, formatInstant } from "../shared/formats.ts";

type Check = Pick<JobSummary, "state" | "done" | "total" | "error">;

/** How far a check of the log is, or what it has found. */
export function logCheckText({ state, done, total, error }: Check): string {
  const events = counted(done, "event", "events");
  switch (state) {
    case "queued":
      return "Waiting to begin";
    case "running":
      return total === undefined
        ? `${events} checked`
        : `${formatCount(done)} of ${counted(total, "event", "events")}`;
    case "stopping":
      return "Stopping";
    case "stopped":
      return `Stopped. The first ${events} fit.`;
    case "done":
      return `All ${events} fit: none was changed, removed or put in between.`;
    case "failed":
      return error?.message ?? "The check failed.";
  }
}

/** The same of a check that is over, with when. */
export function lastCheckText(check: Check & Pick<JobSummary, "ended_at" | "created_at">): string {
  return `Last check, ${formatInstant(check.ended_at ?? check.created_at)}: ${logCheckText(check)}`;
}
