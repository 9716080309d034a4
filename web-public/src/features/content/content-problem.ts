import type { ApiError } from "../../api/client.ts";
import { pageProblem } from "../errors/page-problem.ts";

/** Returns the error page for a text that couldn't be read. */
export function contentProblem(error: ApiError) {
  return error.status === 429
    ? pageProblem(429, "Too many requests", "Please wait a moment before trying again.")
    : pageProblem(
        503,
        "Failed to load this page",
        "The registry didn't respond in time. Please try again in a moment.",
      );
}
