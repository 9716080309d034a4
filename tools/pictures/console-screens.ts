import {
  answerAskedToDelete,
  answerDeleted,
  answerDeletions,
  approveFirst,
  askToHide,
  decide,
  decideMany,
  drawBoxes,
  endMany,
  findThemTaken,
  openPublishedFile,
  reveal,
  searchEverything,
  showKeys,
  waitForEnd,
  waitForWarning,
  writeNote,
} from "./console-acts.ts";
import { CASE_SCREENS } from "./console-case-screens.ts";
import type { Screen } from "./screen.ts";
import {
  type Act,
  all,
  cut,
  failExport,
  inPage,
  nameFilter,
  openEntry,
  openFirstUser,
  press,
  rejectReports,
  selectReports,
  until,
} from "./screen-acts.ts";

const failCharts: Act = async (page) => {
  await page.route("**/admin/dashboard", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { success: true, data: { ...data, figures: null } } });
  });
};

const openLink = (name: string): Act => inPage((page) => page.getByRole("link", { name }).click());

const LIST = "/admin/reports";
const MODERATED = "/admin/reports/{moderated}";

const on = (path: string, name: string, act: Act, before?: Act): Screen => ({
  name,
  path,
  as: "admin",
  act,
  ...(before && { before }),
});

const REPORT_SCREENS: readonly Screen[] = [
  on("/admin/reports/{decided}", "console-report", until("Questions for the reporter")),
  on(MODERATED, "console-report-files", until("3 files")),
  on(MODERATED, "console-report-revealed", reveal),
  on(MODERATED, "console-report-file", openPublishedFile),
  on(MODERATED, "console-report-boxes", drawBoxes),
  on(MODERATED, "console-report-hide", askToHide),
  on("/admin/reports/{askable}", "console-report-reject", decide("Reject…")),
  on(MODERATED, "console-report-note", writeNote),
  on(MODERATED, "console-report-keys", showKeys),
  on(MODERATED, "console-report-delete", decide("Delete…")),
  on(
    "/admin/reports/deleted",
    "console-deleted",
    until("Requested by the person concerned"),
    answerDeletions,
  ),
  on(
    MODERATED,
    "console-deletion-asked",
    until(/asked to delete this report/),
    answerAskedToDelete,
  ),
  on(MODERATED, "console-report-deleted", until("This report was deleted"), answerDeleted),
  on(MODERATED, "console-report-erase", all(press(/^Erase now/), until("Cancel")), answerDeleted),
  on(`${MODERATED}/edit`, "console-report-edit", until("Save")),
  on(`${MODERATED}/history`, "console-report-history", until(/published a picture/)),
  on("/admin/reports/{askable}", "console-report-ask", decide("Ask the reporter…")),
  on(LIST, "console-bulk-taken", findThemTaken),
  on(LIST, "console-bulk-running", decideMany),
  on(LIST, "console-bulk-done", endMany),
];

export const CONSOLE_SCREENS: readonly Screen[] = [
  { name: "console-dashboard", path: "/admin", as: "admin" },
  { name: "console-dashboard-failed", path: "/admin", as: "admin", before: failCharts },
  { name: "console-reports", path: "/admin/reports", as: "admin" },
  {
    name: "console-reports-columns",
    path: "/admin/reports",
    as: "admin",
    act: all(press("Columns"), until("Show all columns")),
  },
  { name: "console-reports-selected", path: "/admin/reports", as: "admin", act: selectReports },
  { name: "console-reports-reject", path: "/admin/reports", as: "admin", act: rejectReports },
  { name: "console-queue-undo", path: "/admin/queue", as: "admin", act: approveFirst },
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
    act: all(press("Check the log"), press("Check now"), until(/^All .* events are intact/)),
  },
  { name: "console-users", path: "/admin/users", as: "admin" },
  { name: "console-users-add", path: "/admin/users", as: "admin", act: press("Add User") },
  {
    name: "console-users-none",
    path: `/admin/users?filter=${encodeURIComponent('{"search":"zzzzzz"}')}`,
    as: "admin",
  },
  { name: "console-user", path: "/admin/users", as: "admin", leaves: true, act: openFirstUser },
  {
    name: "console-user-ban",
    path: "/admin/users",
    as: "admin",
    leaves: true,
    act: all(openFirstUser, press(/^Ban$/)),
  },
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
    // It stays open above other pages.
    act: (page) =>
      all(press(/^Notifications/), until(/since \w|Nothing needs attention now/))(page),
  },
  {
    name: "console-mails",
    path: "/admin/mails",
    as: "admin",
    act: until(/of more than/),
  },
  { name: "console-content", path: "/admin/content", as: "admin", act: until("Privacy Policy") },
  {
    name: "console-faq",
    path: "/admin/content",
    as: "admin",
    act: all(
      inPage((page) => page.getByRole("tab", { name: "FAQ" }).click()),
      until("Order"),
    ),
  },
  {
    name: "console-text",
    path: "/admin/content",
    as: "admin",
    leaves: true,
    act: all(openLink("About us"), until("What is new")),
  },
  {
    name: "console-text-new",
    path: "/admin/content/new?type=faq",
    as: "admin",
    act: until("Order"),
  },
  {
    name: "console-templates",
    path: "/admin/templates",
    as: "admin",
    act: until("Report published"),
  },
  {
    name: "console-templates-failed",
    path: "/admin/templates",
    as: "admin",
    before: cut("admin/templates"),
    act: until("Network error"),
  },
  {
    name: "console-template-new",
    path: "/admin/templates",
    as: "admin",
    act: all(until("Report published"), press("Create template"), until("Starts as a copy")),
  },
  {
    name: "console-template",
    path: '/admin/templates?filter={"q":"friendlier"}',
    as: "admin",
    act: all(
      openLink("Report published"),
      openLink("Friendlier"),
      until("Subject: Your report is public now"),
    ),
  },
  {
    name: "console-template-compared",
    path: '/admin/templates?filter={"q":"friendlier"}',
    as: "admin",
    act: all(
      openLink("Report published"),
      openLink("Friendlier"),
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
