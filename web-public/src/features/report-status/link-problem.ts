import type { ApiError } from "../../api/client.ts";
import { pageProblem } from "../errors/page-problem.ts";

/** Advice for someone whose link about a report is invalid. */
const OF_REPORT =
  "Use the link in our latest email about this report. If the report was removed, there's nothing left to show.";

/**
 * Returns the error page for an emailed link. All invalid links look the same.
 * @param instead advice on what to do.
 */
export function linkProblem({ status }: ApiError, instead = OF_REPORT) {
  if (status === 429)
    return pageProblem(429, "Too many requests", "Please wait a moment before trying again.");
  if (status >= 400 && status < 500)
    return pageProblem(404, "This link is no longer valid", instead);
  return pageProblem(503, "The registry didn't respond", "Please try again in a moment.");
}
