import type { RegistryFigures } from "#contracts/http/analytics.ts";
import type {
  Article,
  ContentPage,
  FaqItem,
  PostPage,
  SiteFacts,
} from "#contracts/http/content.ts";
import type { ReportDetail, ReportSummary } from "#contracts/http/report-view.ts";
import type { HabitualOffender, OffenderPage, SearchResult } from "#contracts/http/reports.ts";
import type { ApiClient } from "./client.ts";

/** GET /api/habitual-offenders: people with the most reports first. */
export function getHabitualOffenders(
  api: ApiClient,
  limit: number,
  signal?: AbortSignal,
): Promise<HabitualOffender[]> {
  return api.get("/api/habitual-offenders", { query: limitedTo(limit), signal });
}

/** GET /api/habitual-offenders/all: a page of them; the first without a token. */
export function getOffenderPage(
  api: ApiClient,
  token: string | null,
  signal?: AbortSignal,
): Promise<OffenderPage> {
  const query = new URLSearchParams(token ? { page: token } : {});
  return api.get("/api/habitual-offenders/all", { query, signal });
}

/** GET /api/figures: what the registry holds, at most a minute old. */
export function getFigures(api: ApiClient, signal?: AbortSignal): Promise<RegistryFigures> {
  return api.get("/api/figures", { signal });
}

/** GET /api/reports/recent: approved reports, newest first. */
export function getRecentReports(
  api: ApiClient,
  limit: number,
  signal?: AbortSignal,
): Promise<ReportSummary[]> {
  return api.get("/api/reports/recent", { query: limitedTo(limit), signal });
}

/** GET /api/reports/{seoTitle}: 404 for an unknown report, 410 for a deleted one. */
export function getReport(
  api: ApiClient,
  seoTitle: string,
  signal?: AbortSignal,
): Promise<ReportDetail> {
  return api.get(`/api/reports/${encodeURIComponent(seoTitle)}`, { signal });
}

/** GET /api/reports/search. `query` holds the parameters of the contract's `SearchQuery`. */
export function searchReports(
  api: ApiClient,
  query: URLSearchParams,
  signal?: AbortSignal,
): Promise<SearchResult> {
  return api.get("/api/reports/search", { query, signal });
}

/** GET /api/faq: frequent questions in their order. */
export function getFaq(api: ApiClient, signal?: AbortSignal): Promise<FaqItem[]> {
  return api.get("/api/faq", { signal });
}

/** GET /api/content/{slug}: 404 for an unknown text. */
export function getContent(
  api: ApiClient,
  slug: string,
  signal?: AbortSignal,
): Promise<ContentPage> {
  return api.get(`/api/content/${encodeURIComponent(slug)}`, { signal });
}

/** GET /api/posts: a page of the registry's posts, newest first; 400 past the last possible one. */
export function getPosts(api: ApiClient, page: number, signal?: AbortSignal): Promise<PostPage> {
  return api.get("/api/posts", { query: new URLSearchParams({ page: String(page) }), signal });
}

/** GET /api/posts/{slug} and /api/pages/{slug}: 404 for an unknown one, 410 for a deleted one. */
export function getArticle(
  api: ApiClient,
  kind: "posts" | "pages",
  slug: string,
  signal?: AbortSignal,
): Promise<Article> {
  return api.get(`/api/${kind}/${encodeURIComponent(slug)}`, { signal });
}

/** GET /api/site: pages for the footer, and the version of the terms that is in force. */
export function getSiteFacts(api: ApiClient, signal?: AbortSignal): Promise<SiteFacts> {
  return api.get("/api/site", { signal });
}

function limitedTo(limit: number): URLSearchParams {
  return new URLSearchParams({ limit: String(limit) });
}
