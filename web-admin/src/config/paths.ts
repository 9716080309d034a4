/** Paths of the console's screens, relative to /admin. */
export const paths = {
  login: "/login",
  dashboard: "/",
  analytics: "/analytics",
  reports: "/reports",
  reportsWith: (text: string) => filtered("/reports", { q: text }),
  deletedReports: "/reports/deleted",
  report: (id: string) => `/reports/${encodeURIComponent(id)}`,
  reportEdit: (id: string) => `/reports/${encodeURIComponent(id)}/edit`,
  reportHistory: (id: string) => `/reports/${encodeURIComponent(id)}/history`,
  queue: "/queue",
  auditLogs: "/audit-logs",
  documents: "/documents",
  noticeMaterial: "/documents/notices",
  inquiries: "/inquiries",
  inquiry: (id: string) => `/inquiries/${encodeURIComponent(id)}`,
  mails: "/mails",
  notices: "/notices",
  notice: (id: string) => `/notices/${encodeURIComponent(id)}`,
  payments: "/payments",
  resolutions: "/resolutions",
  content: "/content",
  text: (id: string) => `/content/${encodeURIComponent(id)}`,
  newText: (type: string) => `/content/new?type=${encodeURIComponent(type)}`,
  templates: "/templates",
  template: (kind: string, id: string) =>
    `/templates/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`,
  settings: "/settings",
  system: "/system",
  test: "/test",
  users: "/users",
  user: (id: string) => `/users/${encodeURIComponent(id)}`,
} as const;

/** Returns the URL of a list with only this filter, replacing any previous one. */
export function filtered(list: string, filter: object): string {
  return `${list}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
}

/** The path on the site under which the console is served. */
export const CONSOLE_BASE = "/admin";

/** Path on the site of the frame that renders PDFs. */
export const PDF_FRAME = `${CONSOLE_BASE}/pdf-frame.html`;

/** Placeholder for an ID; URL encoding leaves it unchanged. */
const ANY = "ID";
/** react-admin's own pages. */
const OTHERS = ["/access-denied", "/authentication-error"];
const screens = Object.values(paths).map((path) => {
  const address = typeof path === "string" ? path : path(ANY, ANY);
  return address.replace(/\?.*|^\/$/, "").replaceAll(ANY, "[^/]+");
});
const SCREENS = new RegExp(`^${CONSOLE_BASE}(${[...screens, ...OTHERS].join("|")})?/?$`);

/** Whether the path is a screen of the console. All others get a 404. */
export function isScreen(path: string): boolean {
  return SCREENS.test(path);
}
