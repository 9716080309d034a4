import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import type { ReportProgress } from "#contracts/http/reporter-links.ts";
import { apiContext } from "../../api/api-context.ts";
import { ApiError } from "../../api/client.ts";
import { getReportProgress } from "../../api/reporter-links.ts";
import { pageProblem } from "../errors/page-problem.ts";

/** Loads how far the report of the link is, or throws an error page. */
export async function reportStatusLoader({
  context,
  params,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<ReportProgress> {
  try {
    return await getReportProgress(context.get(apiContext), params.token ?? "", request.signal);
  } catch (error) {
    throw error instanceof ApiError ? problemOf(error) : error;
  }
}

function problemOf({ status }: ApiError) {
  if (status === 429)
    return pageProblem(429, "Too many requests", "Please wait a moment before trying again.");
  if (status >= 400 && status < 500)
    return pageProblem(
      404,
      "This link is no longer valid",
      "The newest mail about your report has one that works. Where a report was removed, nothing of it is kept.",
    );
  return pageProblem(
    503,
    "The registry did not answer",
    "Nothing is lost: please try again in a moment.",
  );
}
