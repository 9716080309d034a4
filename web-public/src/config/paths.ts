/** Every address of the site, and those of its neighbours that it links to. */
export const paths = {
  home: "/",
  search: "/search",
  submitReport: "/report",
  report: (seoTitle: string) => `/report/${encodeURIComponent(seoTitle)}`,
  terms: "/terms",
  /** The console; another application, so always a full page load. */
  console: "/admin",
} as const;
