import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** Addresses in one sitemap; the protocol's limit (sitemaps.org). */
export const SITEMAP_SIZE = 50_000;
/** Reports on one page of the list. A sitemap is a whole number of pages. */
export const SITEMAP_PAGE = 1000;

/** A report's place in the list of all public reports: when it was reported, and its id. */
const SitemapPlace = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z_[0-9a-f-]{36}$",
});

/** GET /prod/api/sitemap: where each sitemap of reports begins. */
export const SitemapReply = reply(
  strict({
    /** The place after which a sitemap's reports follow; null for the first one. */
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
