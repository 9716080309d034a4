import { type LoaderFunctionArgs, type RouterContextProvider, redirect } from "react-router-dom";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { ApiError, apiContext } from "../../api/client.ts";
import { getReport } from "../../api/reads.ts";
import { paths } from "../../config/paths.ts";
import { pageProblem } from "../errors/page-problem.ts";

/**
 * Loads the report at this address, redirects to its canonical address, or throws an error page.
 */
export async function reportDetailLoader({
  context,
  params,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<ReportDetail> {
  const { seoTitle = "" } = params;
  let report: ReportDetail;
  try {
    report = await getReport(context.get(apiContext), seoTitle, request.signal);
  } catch (error) {
    throw error instanceof ApiError ? problemOf(error) : error;
  }
  // The registry ignores the case of an address, but a page has only one canonical address.
  if (seoTitle !== seoTitle.toLowerCase()) throw redirect(paths.report(report.seo_title), 301);
  return report;
}

function problemOf(error: ApiError) {
  switch (error.status) {
    case 400:
    case 404:
      return pageProblem(
        404,
        "Report not found",
        "There's no published report at this address. Reports appear here once they're approved.",
      );
    case 410:
      return pageProblem(410, "Report removed", "This report has been removed.");
    case 429:
      return pageProblem(429, "Too many requests", "Please wait a moment before trying again.");
    default:
      return pageProblem(
        503,
        "Failed to load report",
        "The registry didn't respond in time. Please try again in a moment.",
      );
  }
}
