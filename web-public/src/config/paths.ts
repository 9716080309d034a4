/** Paths of the site's pages, and of the console that it links to. */
export const paths = {
  home: "/",
  search: "/search",
  /** The first page of all habitual offenders, or the page with this token. */
  allOffenders: (token?: string) =>
    `/search?offenders=all${token ? `&page=${encodeURIComponent(token)}` : ""}`,
  submitReport: "/report",
  report: (seoTitle: string) => `/report/${encodeURIComponent(seoTitle)}`,
  faq: "/faq",
  /** The first page of the blog, or another one. */
  blog: (page = 1) => (page > 1 ? `/blog?page=${page}` : "/blog"),
  post: (slug: string) => `/blog/${encodeURIComponent(slug)}`,
  page: (slug: string) => `/pages/${encodeURIComponent(slug)}`,
  terms: "/terms",
  privacy: "/privacy",
  disclaimer: "/disclaimer",
  dmca: "/dmca",
  dmcaNotice: "/dmca/notice",
  dmcaCounterNotice: "/dmca/counter-notice",
  enterprise: "/enterprise",
  lawEnforcement: "/law-enforcement",
  login: "/login",
  register: "/register",
  forgotPassword: "/forgot-password",
  dashboard: "/dashboard",
  ownReport: (id: string) => `/dashboard/reports/${encodeURIComponent(id)}`,
  profile: "/profile",
  accountSettings: "/account-settings",
  deleteAccount: "/account-settings/delete",
  /** The console is a separate application, so links to it load a full page. */
  console: "/admin",
} as const;
