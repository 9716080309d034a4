import type { Page } from "playwright-core";

/** Who looks at a screen. */
export type Viewer = "visitor" | "owner" | "admin";

/**
 * A screen in one state. A new screen gets a line in `SCREENS`: `npm run pictures` takes its picture, and
 * `e2e/site-screens.e2e.test.ts` checks it.
 */
export interface Screen {
  /** Name of its files. */
  readonly name: string;
  /** Address. `{report}` stands for a sample's page, `{habitual}` for a habitual offender's. */
  readonly path: string;
  /** The visitor when absent. */
  readonly as?: Viewer;
  /** Without JavaScript. */
  readonly plain?: boolean;
  /** Brings the screen into its state. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).first().click();
/** Opens the page, and then presses a link whose data never comes. */
const follow = (link: string) => async (page: Page) => {
  await page.route("**/prod/api/**", () => undefined);
  await page.getByRole("link", { name: link }).first().click();
  await page.waitForTimeout(400);
};

export const SCREENS: readonly Screen[] = [
  { name: "home", path: "/" },
  { name: "home-plain", path: "/", plain: true },
  { name: "menu", path: "/", act: (page) => page.locator("#site-menu").evaluate(showPopover) },
  { name: "search", path: "/search" },
  { name: "search-found", path: "/search?q=delgado" },
  { name: "search-none", path: "/search?q=zzzzzz&state=FL" },
  { name: "search-loading", path: "/", act: follow("Search Database") },
  { name: "report", path: "{report}" },
  { name: "report-habitual", path: "{habitual}" },
  { name: "report-unknown", path: "/report/nobody-at-all" },
  { name: "form", path: "/report" },
  { name: "form-plain", path: "/report", plain: true },
  { name: "form-refused", path: "/report", act: submitEmptyForm },
  {
    name: "form-check",
    path: "/report",
    act: (page) => page.getByText("Bad check").first().click(),
  },
  { name: "verify-failed", path: "/verify-email/no-such-token" },
  { name: "verify-plain", path: "/verify-email/no-such-token", plain: true },
  { name: "report-status-unknown", path: "/report-status/no-such-token" },
  { name: "report-question-unknown", path: "/report-question/no-such-token" },
  { name: "login", path: "/login" },
  { name: "login-refused", path: "/login", act: press("Sign In") },
  { name: "login-plain", path: "/login", plain: true },
  { name: "register", path: "/register" },
  { name: "register-refused", path: "/register", act: press("Create Account") },
  { name: "forgot-password", path: "/forgot-password" },
  { name: "reset-password", path: "/reset-password/no-such-token" },
  { name: "dashboard", path: "/dashboard", as: "owner" },
  { name: "dashboard-plain", path: "/dashboard", plain: true },
  { name: "profile", path: "/profile", as: "owner" },
  { name: "profile-edit", path: "/profile", as: "owner", act: press(/^Edit/) },
  { name: "account-settings", path: "/account-settings", as: "owner" },
  { name: "account-settings-data", path: "/account-settings", as: "owner", act: exportData },
  { name: "faq", path: "/faq" },
  { name: "blog", path: "/blog" },
  { name: "blog-plain", path: "/blog?page=2", plain: true },
  { name: "post", path: "/blog/news-11" },
  { name: "post-removed", path: "/blog/removed" },
  { name: "page", path: "/pages/about-us" },
  { name: "terms", path: "/terms" },
  { name: "privacy", path: "/privacy" },
  { name: "dmca", path: "/dmca" },
  { name: "disclaimer", path: "/disclaimer" },
  { name: "enterprise", path: "/enterprise" },
  { name: "enterprise-refused", path: "/enterprise", act: press("Contact sales") },
  { name: "dmca-notice", path: "/dmca/notice" },
  { name: "dmca-counter-notice", path: "/dmca/counter-notice" },
  { name: "law-enforcement", path: "/law-enforcement" },
  { name: "not-found", path: "/nowhere" },
  { name: "console-reports", path: "/admin#/reports", as: "admin" },
  { name: "console-audit-log", path: "/admin#/audit-logs", as: "admin" },
  { name: "console-second-factors", path: "/admin/second-factors", as: "admin" },
];

function showPopover(element: SVGElement | HTMLElement): void {
  (element as HTMLElement).showPopover();
}

async function submitEmptyForm(page: Page): Promise<void> {
  await page.getByLabel(/agree to the/).check();
  await page.getByRole("button", { name: "Submit Report" }).click();
}

/** An export with two files, whichever the account has. */
async function exportData(page: Page): Promise<void> {
  const file = { kind: "evidence", added_at: "2026-05-02T10:00:00.000Z", type: "application/pdf" };
  const long = `${"scan-of-the-signed-delivery-note-".repeat(4)}.pdf`;
  const files = [
    {
      ...file,
      file_id: "00000000-0000-4000-8000-000000000001",
      name: "invoice.pdf",
      bytes: 82_000,
    },
    { ...file, file_id: "00000000-0000-4000-8000-000000000002", name: long, bytes: 9_400_000 },
  ];
  const empty = { history: [], sessions: [], claims: [], inquiries: [] };
  const reports = [{ id: "00000000-0000-4000-8000-000000000003", files }];
  const about = { exported_at: "2026-11-23T10:00:00.000Z" };
  const data = { about, ...empty, reports, next: null, files: "x" };
  await page.route("**/auth/export*", (route) => route.fulfill({ json: { success: true, data } }));
  await press("Download My Data")(page);
  await page.getByText("Your data is in your downloads.").waitFor();
}
