import { approveFirst, searchEverything, waitForEnd, waitForWarning } from "./console-acts.ts";
import { failCharts } from "./dashboard-acts.ts";
import {
  type Act,
  addFiles,
  all,
  answer,
  askForReset,
  beAsked,
  cut,
  exportData,
  fillForm,
  follow,
  goTo,
  openFirstUser,
  openMenu,
  press,
  rejectReports,
  search,
  selectReports,
  sendForm,
  showResolutions,
  submitEmptyForm,
  type,
  typeKnownOrder,
  until,
} from "./screen-acts.ts";

/** Who looks at a screen: the owner has sent a report, the newcomer has an account alone. */
export type Viewer = "visitor" | "newcomer" | "owner" | "admin";

/**
 * A screen in one state. A new screen gets a line in `SCREENS`: `npm run pictures` takes its picture, and
 * `e2e/site-screens.e2e.test.ts` checks it.
 */
export interface Screen {
  /** Name of its files. */
  readonly name: string;
  /**
   * Address. `{report}` stands for a sample's page, `{habitual}` for a habitual offender's; `{own}`,
   * `{status}` and `{question}` for the pages of the owner's report.
   */
  readonly path: string;
  /** The visitor when absent. */
  readonly as?: Viewer;
  /** Without JavaScript. */
  readonly plain?: boolean;
  /** Waits for data that never comes. */
  readonly waits?: boolean;
  /** Brings the screen into its state. */
  readonly act?: Act;
}

export const SCREENS: readonly Screen[] = [
  { name: "home", path: "/" },
  { name: "home-plain", path: "/", plain: true },
  { name: "menu", path: "/", act: openMenu },
  { name: "search", path: "/search" },
  { name: "search-found", path: "/search?q=delgado" },
  { name: "search-none", path: "/search?q=zzzzzz&state=FL" },
  { name: "search-loading", path: "/", waits: true, act: follow("Search Database") },
  {
    name: "search-failed",
    path: "/",
    act: all(
      answer("reports/search", 503),
      goTo("Search Database"),
      until("Failed to load search data"),
    ),
  },
  {
    name: "search-limited",
    path: "/",
    act: all(answer("reports/search", 429), goTo("Search Database"), until("Rate Limit Exceeded")),
  },
  {
    name: "search-verification",
    path: "/search",
    act: all(search(6), until("Security Verification")),
  },
  {
    name: "search-cleared",
    path: "/search?q=delgado&state=FL",
    act: all(
      (page) => page.getByText("Clear Filters").click(),
      until("All filters cleared successfully"),
      (page) => page.waitForURL(/\/search$/),
    ),
  },
  { name: "search-range", path: "/search?min=9&max=1" },
  { name: "search-phone", path: "/search?q=%2B1+303+555+0100" },
  { name: "offenders", path: "/search?offenders=all" },
  { name: "report", path: "{report}" },
  { name: "report-habitual", path: "{habitual}" },
  { name: "report-unknown", path: "/report/nobody-at-all" },
  { name: "form", path: "/report" },
  { name: "form-plain", path: "/report", plain: true },
  { name: "form-same-order", path: "/report", as: "owner", act: typeKnownOrder },
  { name: "form-refused", path: "/report", act: submitEmptyForm },
  {
    name: "form-check",
    path: "/report",
    act: (page) => page.getByText("Bad check").first().click(),
  },
  {
    name: "form-preview",
    path: "/report",
    act: all(fillForm, (page) => page.getByText("Preview: what the public will see").click()),
  },
  { name: "form-files", path: "/report", act: addFiles },
  { name: "form-more", path: "/report", act: press("Add a chargeback") },
  {
    name: "form-leaving",
    path: "/report",
    act: all(fillForm, goTo("Home"), until("Leave without submitting?")),
  },
  {
    name: "form-unsent",
    path: "/report",
    act: all(fillForm, cut("reports/submit"), press("Submit Report"), until("was not submitted")),
  },
  { name: "form-sent", path: "/report", act: sendForm },
  {
    name: "form-sent-correcting",
    path: "/report",
    act: all(sendForm, press("Correct it")),
  },
  { name: "verify-cut-off", path: "/verify-email" },
  { name: "verify-failed", path: "/verify-email/no-such-token" },
  { name: "verify-plain", path: "/verify-email/no-such-token", plain: true },
  { name: "report-status", path: "{status}" },
  { name: "report-status-plain", path: "{status}", plain: true },
  { name: "report-question", path: "{question}" },
  { name: "report-question-plain", path: "{question}", plain: true },
  { name: "report-status-unknown", path: "/report-status/no-such-token" },
  { name: "report-question-unknown", path: "/report-question/no-such-token" },
  { name: "login", path: "/login" },
  { name: "login-refused", path: "/login", act: press("Sign In") },
  {
    name: "login-failed",
    path: "/login",
    act: all(
      type({ "field-email": "nobody@shop.example", "field-password": "Wrong-horse-9" }),
      press("Sign In"),
      until("Invalid email or password"),
    ),
  },
  {
    name: "login-second-factor",
    path: "/login",
    act: all(
      answer("auth/login", 200, { data: { challenge: "c", two_factor_required: true } }),
      type({ "field-email": "rae@shop.example", "field-password": "Correct-horse-9" }),
      press("Sign In"),
      until("authenticator"),
    ),
  },
  { name: "login-plain", path: "/login", plain: true },
  { name: "register", path: "/register" },
  { name: "register-refused", path: "/register", act: press("Create Account") },
  { name: "forgot-password", path: "/forgot-password" },
  {
    name: "forgot-password-sent",
    path: "/forgot-password",
    act: all(
      type({ "field-email": "nobody@shop.example" }),
      press("Send Reset Link"),
      until("check your inbox"),
    ),
  },
  { name: "reset-password", path: "/reset-password/no-such-token" },
  {
    name: "reset-password-failed",
    path: "/reset-password/no-such-token",
    act: all(
      type({ "field-password": "Correct-horse-9", "field-confirmPassword": "Correct-horse-9" }),
      press("Set New Password"),
      until("invalid or expired"),
    ),
  },
  { name: "change-email-unknown", path: "/change-email/no-such-token", as: "owner" },
  { name: "undo-email-change-unknown", path: "/undo-email-change/no-such-token" },
  { name: "unsubscribe-unknown", path: "/unsubscribe/no-such-token" },
  { name: "dashboard", path: "/dashboard", as: "owner" },
  { name: "dashboard-empty", path: "/dashboard", as: "newcomer" },
  { name: "own-report", path: "{own}", as: "owner" },
  {
    name: "dashboard-failed",
    path: "/dashboard",
    as: "owner",
    act: all(cut("account/"), (page) => page.reload(), until("could not be loaded")),
  },
  { name: "dashboard-asked", path: "/dashboard", as: "owner", act: beAsked },
  { name: "dashboard-plain", path: "/dashboard", plain: true },
  { name: "profile", path: "/profile", as: "owner" },
  { name: "profile-edit", path: "/profile", as: "owner", act: press(/^Edit/) },
  { name: "account-settings", path: "/account-settings", as: "owner" },
  { name: "account-settings-data", path: "/account-settings", as: "owner", act: exportData },
  {
    name: "account-settings-forms",
    path: "/account-settings",
    as: "owner",
    act: all(
      press("Edit Profile"),
      press("Change Email Address"),
      press("Change Password"),
      press("Save Password"),
      press("Set Up Two-Factor Sign-In"),
      (page) => page.getByRole("img", { name: "QR code" }).waitFor(),
    ),
  },
  {
    name: "account-settings-delete",
    path: "/account-settings",
    as: "owner",
    act: press("Delete Account"),
  },
  { name: "faq", path: "/faq" },
  {
    name: "faq-open",
    path: "/faq",
    act: (page) => page.getByText("What does it cost?").click(),
  },
  { name: "faq-none", path: "/faq?q=zzzzzz" },
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
  { name: "console-dashboard", path: "/admin", as: "admin" },
  { name: "console-dashboard-failed", path: "/admin", as: "admin", act: failCharts },
  { name: "console-reports", path: "/admin/reports", as: "admin" },
  {
    name: "console-reports-columns",
    path: "/admin/reports",
    as: "admin",
    act: all(press("Columns"), until("Show all columns")),
  },
  { name: "console-reports-selected", path: "/admin/reports", as: "admin", act: selectReports },
  { name: "console-reports-reject", path: "/admin/reports", as: "admin", act: rejectReports },
  { name: "console-reports-undo", path: "/admin/reports", as: "admin", act: approveFirst },
  { name: "console-search", path: "/admin/reports", as: "admin", act: searchEverything },
  { name: "console-idle-warns", path: "/admin/reports", as: "admin", act: waitForWarning },
  { name: "console-idle-over", path: "/admin/reports", as: "admin", act: waitForEnd },
  { name: "console-analytics", path: "/admin/analytics?period=1year", as: "admin" },
  { name: "console-audit-log", path: "/admin/audit-logs", as: "admin" },
  { name: "console-users", path: "/admin/users", as: "admin" },
  { name: "console-users-add", path: "/admin/users", as: "admin", act: press("Add User") },
  {
    name: "console-users-none",
    path: `/admin/users?filter=${encodeURIComponent('{"search":"zzzzzz"}')}`,
    as: "admin",
  },
  { name: "console-user", path: "/admin/users", as: "admin", act: openFirstUser },
  { name: "console-user-ban", path: "/admin/users", as: "admin", act: press(/^Ban: /) },
  { name: "console-queue", path: "/admin/queue", as: "admin" },
  {
    name: "console-documents",
    path: "/admin/documents",
    as: "admin",
    act: until("No documents yet"),
  },
  {
    name: "console-inquiries",
    path: "/admin/inquiries",
    as: "admin",
    act: until("No inquiries yet"),
  },
  {
    name: "console-notifications",
    path: "/admin/inquiries",
    as: "admin",
    act: all(press(/^Notifications/), until(/since \d|Nothing needs attention now/)),
  },
  {
    name: "console-notices",
    path: "/admin/notices",
    as: "admin",
    act: until("No notices yet"),
  },
  { name: "console-mails", path: "/admin/mails", as: "admin", act: until("Kind") },
  { name: "console-payments", path: "/admin/payments", as: "admin", act: until("No payments yet") },
  { name: "console-resolutions", path: "/admin/resolutions", as: "admin" },
  {
    name: "console-resolutions-open",
    path: "/admin/resolutions",
    as: "admin",
    act: showResolutions,
  },
  { name: "console-content", path: "/admin/content", as: "admin", act: until("Privacy Policy") },
  {
    name: "console-faq",
    path: "/admin/content",
    as: "admin",
    act: all((page) => page.getByRole("tab", { name: "FAQ" }).click(), until("Place")),
  },
  {
    name: "console-text",
    path: "/admin/content",
    as: "admin",
    act: all((page) => page.getByRole("link", { name: "About us" }).click(), until("What is new")),
  },
  {
    name: "console-text-new",
    path: "/admin/content/new?type=faq",
    as: "admin",
    act: until("Place in the list"),
  },
  {
    name: "console-templates",
    path: "/admin/templates",
    as: "admin",
    act: until("Friendlier"),
  },
  {
    name: "console-templates-failed",
    path: "/admin/templates",
    as: "admin",
    act: all(cut("admin/templates"), (page) => page.reload(), until("Network error")),
  },
  {
    name: "console-template-new",
    path: "/admin/templates",
    as: "admin",
    act: all(until("Friendlier"), press("Add a template"), until("Kind of mail")),
  },
  {
    name: "console-template",
    path: "/admin/templates?q=friendlier",
    as: "admin",
    act: all(
      (page) => page.getByRole("link", { name: /^Friendlier/ }).click(),
      until("Subject: Your report is public now"),
    ),
  },
  {
    name: "console-template-compared",
    path: "/admin/templates?q=friendlier",
    as: "admin",
    act: all(
      (page) => page.getByRole("link", { name: /^Friendlier/ }).click(),
      press(/^Compare revision/),
      until("Name: Friendlier"),
    ),
  },
  {
    name: "console-template-shipped",
    path: "/admin/templates/approved/shipped",
    as: "admin",
    act: until("Plain text"),
  },
  { name: "console-system", path: "/admin/system", as: "admin", act: until("Running") },
  {
    name: "console-system-scan",
    path: "/admin/system",
    as: "admin",
    act: all(press("Security Scan"), until("Security scan completed")),
  },
  { name: "console-test", path: "/admin/test", as: "admin", act: until("Dashboard API working") },
  { name: "console-second-factors", path: "/admin/second-factors", as: "admin" },
  {
    name: "console-second-factors-ask",
    path: "/admin/second-factors",
    as: "admin",
    act: askForReset,
  },
];
