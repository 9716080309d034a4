import { approveFirst, searchEverything, waitForEnd, waitForWarning } from "./console-acts.ts";
import { CASE_SCREENS } from "./console-case-screens.ts";
import { REPORT_SCREENS } from "./console-report-screens.ts";
import { failCharts } from "./dashboard-acts.ts";
import type { Screen } from "./screen.ts";
import {
  all,
  cut,
  failExport,
  nameFilter,
  openEntry,
  openFirstUser,
  press,
  rejectReports,
  selectReports,
  until,
} from "./screen-acts.ts";

/** The pages of the console, with what opens above them. */
export const CONSOLE_SCREENS: readonly Screen[] = [
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
  { name: "console-reports-export", path: "/admin/reports", as: "admin", act: failExport },
  { name: "console-reports-save-filter", path: "/admin/reports", as: "admin", act: nameFilter },
  { name: "console-analytics", path: "/admin/analytics?period=1year", as: "admin" },
  { name: "console-audit-log", path: "/admin/audit-logs", as: "admin" },
  { name: "console-audit-event", path: "/admin/audit-logs", as: "admin", act: openEntry },
  {
    name: "console-audit-check",
    path: "/admin/audit-logs",
    as: "admin",
    act: all(press("Check the log"), press("Check now"), until(/^All .* events fit/)),
  },
  { name: "console-users", path: "/admin/users", as: "admin" },
  { name: "console-users-add", path: "/admin/users", as: "admin", act: press("Add User") },
  {
    name: "console-users-none",
    path: `/admin/users?filter=${encodeURIComponent('{"search":"zzzzzz"}')}`,
    as: "admin",
  },
  { name: "console-user", path: "/admin/users", as: "admin", act: openFirstUser },
  { name: "console-user-ban", path: "/admin/users", as: "admin", act: press(/^Ban: /) },
  { name: "console-queue", path: "/admin/queue", as: "admin", act: until("Possible matches") },
  {
    name: "console-documents",
    path: "/admin/documents",
    as: "admin",
    act: until(/published picture/),
  },
  {
    name: "console-notifications",
    path: "/admin/inquiries",
    as: "admin",
    act: all(press(/^Notifications/), until(/since \d|Nothing needs attention now/)),
  },
  {
    name: "console-mails",
    path: "/admin/mails",
    as: "admin",
    act: until("Show more"),
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
  {
    name: "console-settings",
    path: "/admin/settings",
    as: "admin",
    act: until("How long things are kept"),
  },
  {
    name: "console-settings-typed",
    path: "/admin/settings",
    as: "admin",
    act: all(
      (page) => page.getByLabel("Backups kept").fill("1"),
      press("Save Settings"),
      until("Backups kept must be"),
    ),
  },
  { name: "console-test", path: "/admin/test", as: "admin", act: until("Dashboard API working") },
  ...CASE_SCREENS,
  ...REPORT_SCREENS,
];
