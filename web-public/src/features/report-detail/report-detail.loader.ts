import { redirect } from "react-router-dom";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { type ApiError, loading } from "../../api/client.ts";
import { paths } from "../../config/paths.ts";
import { pageProblem } from "../errors/page-problem.ts";

/** Loads the report at this URL, or redirects to its canonical URL. */
export const reportDetailLoader = loading(
  async (api, { params: { seoTitle = "" }, request: { signal } }) => {
    const report = await api.get<ReportDetail>(`/api/reports/${encodeURIComponent(seoTitle)}`, {
      signal,
    });
    // The registry ignores case in a slug, but a page has only one canonical URL.
    if (seoTitle !== seoTitle.toLowerCase()) throw redirect(paths.report(report.seo_title), 301);
    return report;
  },
  problemOf,
);

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
