import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import type { ReportProgress } from "#contracts/http/unsubscribe.ts";
import { ApiError, apiContext } from "../../api/client.ts";
import { getReportProgress } from "../../api/reporter-links.ts";
import { linkProblem } from "./link-problem.ts";

/** Loads how far the report of the link is, or throws an error page. */
export async function reportStatusLoader({
  context,
  params,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<ReportProgress> {
  try {
    return await getReportProgress(context.get(apiContext), params.token ?? "", request.signal);
  } catch (error) {
    throw error instanceof ApiError ? linkProblem(error) : error;
  }
}
