import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** Number of URLs in a sitemap; the protocol's limit (sitemaps.org). */
export const SITEMAP_SIZE = 50_000;
/** Number of reports on a page of the list. A sitemap is a whole number of pages. */
export const SITEMAP_PAGE = 1000;

/** A report's place in the list of all public reports: submission time and ID. */
const SitemapPlace = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z_[0-9a-f-]{36}$",
});

/** GET /prod/api/sitemap: the start of each sitemap of reports. */
export const SitemapReply = reply(
  strict({
    /** The place after which a sitemap's reports begin; null for the first one. */
    sitemaps: Type.Array(Type.Union([SitemapPlace, Type.Null()])),
  }),
);

/** GET /prod/api/sitemap/reports: a page of the list, oldest first. */
export const SitemapReportsQuery = strict({ after: Type.Optional(SitemapPlace) });
export const SitemapReports = strict({
  reports: Type.Array(strict({ seo_title: Type.String(), updated_at: Type.String() }), {
    maxItems: SITEMAP_PAGE,
  }),
  /** Place of the last report, for the next page; null on the last page. */
  next: Type.Union([SitemapPlace, Type.Null()]),
});
export type SitemapReports = Static<typeof SitemapReports>;
export const SitemapReportsReply = reply(SitemapReports);
