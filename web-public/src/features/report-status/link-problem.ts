import type { ApiError } from "../../api/client.ts";
import { pageProblem } from "../errors/page-problem.ts";

/** Where to look, for someone whose link about a report does not work. */
const OF_REPORT =
  "Use the link in our latest email about this report. If the report was removed, there's nothing left to show.";

/**
 * The page in place of what a mailed link leads to. It says the same of every link that does not work.
 * @param instead what to do then.
 */
export function linkProblem({ status }: ApiError, instead = OF_REPORT) {
  if (status === 429)
    return pageProblem(429, "Too many requests", "Please wait a moment before trying again.");
  if (status >= 400 && status < 500)
    return pageProblem(404, "This link is no longer valid", instead);
  return pageProblem(503, "The registry didn't respond", "Please try again in a moment.");
}
