import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { formatInstant } from "../../shared/formats.ts";

type Question = AdminReportDetail["questions"][number];

/**
 * What became of a question, in a sentence.
 * @param now milliseconds since 1970.
 */
export function questionOutcome(
  { state, ended_at, expires_at }: Pick<Question, "state" | "ended_at" | "expires_at">,
  now = Date.now(),
): string {
  const at = ended_at ? ` ${formatInstant(ended_at)}` : "";
  switch (state) {
    case "open":
      return Date.parse(expires_at) > now
        ? `Waits for an answer until ${formatInstant(expires_at)}.`
        : `No answer came until ${formatInstant(expires_at)}.`;
    case "answered":
      return `Answered${at}.`;
    case "withdrawn":
      return `Withdrawn${at}.`;
    case "closed":
      return `Closed without an answer${at}.`;
  }
}
