/**
 * Texts named in the specification, verbatim. A row may move to another source folder, but its text never
 * changes. Intentional differences are in docs/spec-differences.md, not here.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
  PROFILE_NOT_RETURNED,
} from "#contracts/account/account-messages.ts";
import { RESET_PASSWORD } from "#contracts/account/password-rule.ts";
import { signInToSearchBy } from "#contracts/http/search-messages.ts";
import { INQUIRY_FORMS } from "#contracts/inquiry/inquiry-forms.ts";
import { maskAccount, maskCard, maskEmail, maskPhone } from "#contracts/report/masks.ts";
import { REASON_GROUPS } from "#contracts/report/reasons.ts";
import { RESOLUTION_FEE_TEXT } from "#contracts/report/resolution.ts";
import { SYSTEM_SETTINGS_ROWS } from "#contracts/settings/catalogue.ts";
import { SYSTEM_ACTIONS } from "#contracts/system/actions.ts";
import { failureText } from "../../web-admin/src/commands/labels.ts";
import { EDIT, ROW_COMMANDS } from "../../web-admin/src/commands/report-commands.ts";
import { ApiError, fetchFailureText, loadFailureText } from "../../web-admin/src/data/api-error.ts";
import { sections } from "../../web-admin/src/layout/sections.ts";
import { runChecks } from "../../web-admin/src/system/connectivity.ts";
import { endSentence, failureReason, STATUS_URL } from "../../web-admin/src/system/labels.ts";
import { failureSentence } from "../../web-admin/src/users/labels.ts";
import { formatCappedCount, formatCount } from "../../web-public/src/lib/format.ts";

/**
 * Where texts appear, the folders of the code that contains them, and the texts. Each is one literal in the code:
 * `{}` is a value in it, and a final `…` means that the literal continues.
 */
const TEXTS: readonly (readonly [where: string, folders: string, texts: readonly string[]])[] = [
  [
    "Public site, header and drawer",
    "web-public/src/layout",
    [
      "Professional",
      "Search",
      "Report",
      "Login",
      "Get Access",
      "Dashboard",
      "Profile",
      "Account settings",
      "Logout",
      "Search Database",
      "Report Abuse",
    ],
  ],
  [
    "Public site, footer",
    "web-public/src/layout",
    [
      "Home",
      "Search Database",
      "Report Abuse",
      "Enterprise Solutions",
      "Terms of Service",
      "Privacy Policy",
      "DMCA Policy",
      "Legal Disclaimer",
    ],
  ],
  [
    "Public site, addresses",
    "web-public/src/config",
    [
      "/",
      "/search",
      "/report",
      "/report/{}",
      "/login",
      "/register",
      "/forgot-password",
      "/account-settings",
      "/dashboard",
      "/profile",
      "/faq",
      "/enterprise",
      "/terms",
      "/privacy",
      "/disclaimer",
      "/dmca",
      "/blog",
      "/blog/{}",
      "/pages/{}",
    ],
  ],
  [
    "Public site, addresses of mailed links",
    "web-public/src",
    ["reset-password/:token", "verify-email/:token?"],
  ],
  [
    "Home",
    "web-public/src/features/home",
    [
      "$48B+",
      "75%",
      "337M",
      "Juniper Research, October 2022",
      "Visa, June 2022",
      "Mastercard, March 2024",
      "24/7 access…",
      "Search Chargeback Offenders",
      "Report Chargeback Fraud",
      "View All Offenders",
      "Get Started Today",
      "LEARN MORE",
      "No habitual offenders found yet. Start by reporting repeat offenders!",
    ],
  ],
  [
    "Search",
    "web-public/src/features/search",
    [
      "Search Chargeback Fraud Database - Find Repeat Offenders",
      "Search",
      "{} - {}",
      "Min amount",
      "Max amount",
      "Reason",
      "Clear Filters",
      "{} found",
      "Page {} of {}",
      "TOP HABITUAL OFFENDERS",
      "View All Offenders",
      "No reports found",
      "Try adjusting your search criteria or filters…",
      "Security Verification",
      "Verify & Continue",
      "Rate Limit Exceeded",
      "Too many searches in a short time. Please wait before searching again.",
      "Too many searches. Please wait a moment before searching again.",
      "All filters cleared successfully",
      "Failed to load search data",
      "No habitual offenders found yet. Start by reporting repeat offenders!",
    ],
  ],
  [
    "Cards of reports and of habitual offenders",
    "web-public/src/components",
    ["TOTAL DUE", "#{}", "No description available", "View Details", "RESOLVED"],
  ],
  [
    "Page of a report",
    "web-public/src/features/report-detail",
    [
      "Back to Search",
      "Report Another Offender",
      "Report not found",
      "Failed to load report",
      "RESOLVED",
    ],
  ],
  [
    "Report form and edit form, labels",
    "contracts/src/report",
    [
      "Report type",
      "Title",
      "Description",
      "First name",
      "Last name",
      "Middle initial",
      "City",
      "State",
      "ZIP",
      "Country",
      "Currency",
      "Original amount",
      "Transaction date",
      "Chargeback reason",
      "Chargeback fee",
      "Other fees",
      "Resolution status",
      "Check number",
      "Bank name",
      "Check amount",
      "Check date",
      "Amount",
      "Date",
      "Reason",
      "Notes",
    ],
  ],
  [
    "Report form, choices",
    "contracts/src/report",
    [
      "Chargeback",
      "Bad check",
      "Shipped",
      "Not shipped",
      "Digital",
      "Services received",
      "Fraudulent",
      "Duplicate",
      "Product not received",
      "Product not as described",
      "Credit not processed",
      "General",
      "Stop payment",
      "Account closed",
      "Other",
      "Unresolved",
      "Resolved",
      "In progress",
    ],
  ],
  [
    "Report form, messages",
    "web-public/src/features/submit-report",
    [
      "Report submitted successfully! Your report is being reviewed and will be posted soon.",
      "Failed to submit report",
      "You reported this order on {}…",
    ],
  ],
  [
    "Report form, what is wrong with a field",
    "contracts/src/report",
    ["Please enter valid IP addresses. Use format: …"],
  ],
  ["Own report", "web-public/src/features/own-report", ["Submit again"]],
  [
    "Sign-in",
    "web-public/src/features/account",
    ["Sign In", "Email", "Password", "Email is required", "Password is required"],
  ],
  ["Registration", "web-public/src/features/account", ["Create Account"]],
  [
    "Password reset",
    "web-public/src/features/account",
    ["Request Reset", "Enter New Password", "Complete", "Go to Login", "Check your inbox"],
  ],
  [
    "Account settings",
    "web-public/src/features/account",
    ["Change Password", "Two-Factor…", "Account Statistics"],
  ],
  [
    "Forms of accounts, what is wrong with a field",
    "contracts/src/account",
    [
      "Please enter a valid email",
      "Please enter your email address",
      "Please enter a valid URL",
      "Password must be at least 8 characters",
      "Password must contain at least one uppercase letter, one lowercase letter, and one number",
      "Passwords must match",
      "Password must be at least 8 characters long",
      "Passwords do not match",
      "Please fill in all fields",
      "{} is a required field",
    ],
  ],
  [
    "Email verification",
    "web-public/src/features/verify-email",
    ["Go to Homepage", "Browse Reports", "Submit New Report"],
  ],
  [
    "Enterprise",
    "web-public/src/features/inquiry contracts/src/inquiry",
    [
      "Professional",
      "Enterprise",
      "Enterprise Plus",
      "$299 per month",
      "$999 per month",
      "Custom price",
      "10,000 calls…",
      "100,000 calls…",
      "Unlimited calls…",
      "…In preparation…",
    ],
  ],
  [
    "Browser storage",
    "packages/session-client web-public/src/features/faq",
    ["token", "refreshToken", "user", "registry_faq_items"],
  ],
  [
    "Answers to calls of the public site",
    "services",
    [
      "Email is required",
      "Password is required",
      "Report submitted successfully! Your report is being reviewed and will be posted soon.",
      "Report not found",
      "Verification failed. The link may be invalid or expired.",
      "Failed to reset password. The link may be invalid or expired.",
      "Too many searches. Please wait a moment before searching again.",
    ],
  ],
  [
    "Codes of refusals",
    "services packages contracts/src",
    ["proof_required", "second_admin_required", "password_required", "link_required"],
  ],
  [
    "Back office, addresses",
    "web-admin/src/config",
    [
      "/admin",
      "/reports",
      "/test",
      "/users",
      "/documents",
      "/payments",
      "/settings",
      "/analytics",
      "/audit-logs",
      "/content",
      "/system",
      "/templates",
    ],
  ],
  [
    "Back office, header and avatar menu",
    "web-admin/src/layout",
    ["Admin", "Profile", "Main Site", "Logout"],
  ],
  [
    "Dashboard of the back office",
    "web-admin/src/dashboard",
    [
      "Total Users",
      "Total Reports",
      "Pending Reports",
      "System Health",
      "Reports by Status",
      "Recent Activity",
      "Quick Actions",
      "No dashboard data available.",
    ],
  ],
  [
    "Users",
    "web-admin/src/users",
    [
      "Name",
      "Email",
      "Role",
      "Status",
      "Reports",
      "Created",
      "Last Login",
      "Actions",
      "Edit",
      "Ban",
      "Unban",
      "Delete",
      "Search",
      "Apply Filters",
      "Add User",
      "No users found",
    ],
  ],
  [
    "Users, roles and states",
    "contracts/src/account",
    ["Admin", "User", "Active", "Banned", "Pending"],
  ],
  ["Filters of the back office", "web-admin/src/shared", ["All"]],
  [
    "Reports of the back office",
    "web-admin/src/reports web-admin/src/commands",
    [
      "Refresh",
      "Quick Stats",
      "Total",
      "Pending",
      "Approved",
      "Rejected",
      "Name",
      "Amount",
      "Title",
      "Status",
      "Verified",
      "Additional CBs",
      "Fees & Total",
      "Emergency Actions",
      "Approve",
      "Delete",
      "Loaded {} reports successfully",
      "Failed to approve report",
      "Failed to reject report",
      "Failed to delete report",
      "Failed to update report",
      "Report approved via emergency action",
      "Emergency approval failed",
      "Emergency deletion failed",
      "Manual verification failed",
    ],
  ],
  [
    "Reports of the back office, commands that are done",
    "contracts/src/http",
    ["Report deleted successfully", "Email verified manually", "Report updated successfully"],
  ],
  [
    "Reports of the back office, statuses and choices",
    "contracts/src/report",
    [
      "Pending",
      "Approved",
      "Rejected",
      "Under review",
      "Partially resolved",
      "Goods received",
      "Duplicate charge",
      "Not as described",
      "Bounced check",
      "Wire recall",
    ],
  ],
  [
    "System",
    "web-admin/src/system contracts/src/http",
    [
      "Database",
      "Redis Cache",
      "S3 Storage",
      "Email Service",
      "Connected",
      "Disconnected",
      "Error",
      "Uptime",
      "Memory",
      "CPU",
    ],
  ],
  [
    "System, settings and actions",
    "contracts/src/settings web-admin/src/settings",
    [
      "{} ({})",
      "Save Settings",
      "Failed to load system data",
      "Settings saved successfully",
      "Failed to save settings",
    ],
  ],
  [
    "Email templates",
    "web-admin/src/templates contracts/src/mail",
    ["Duplicate", "Active", "Inactive", "Draft", "Email", "Notification", "Report", "Legal"],
  ],
  [
    "Analytics",
    "web-admin/src/analytics",
    ["Period", "Refresh", "Export", "Top Reporters", "Top Offenders"],
  ],
  [
    "Audit logs",
    "web-admin/src/audit",
    [
      "Timestamp",
      "User",
      "Action",
      "Resource",
      "IP Address",
      "Status",
      "Success",
      "Failure",
      "Warning",
    ],
  ],
  [
    "Content",
    "web-admin/src/content contracts/src/content",
    ["Legal…", "Blog…", "FAQ…", "Page", "Draft", "Published"],
  ],
];

/** Texts in one table of the code, by their names there. */
const TABLES: readonly (readonly [
  where: string,
  table: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
])[] = [
  [
    "Accounts, done",
    ACCOUNT_DONE,
    {
      verified: "Email verified successfully!",
      resetMail: "Password reset email sent! Please check your inbox.",
      reset: "Password reset successfully!",
      profile: "Profile updated successfully!",
    },
  ],
  [
    "Accounts, refused",
    { ...ACCOUNT_FAILED, profileNotTold: PROFILE_NOT_RETURNED },
    {
      login: "Login failed",
      register: "Registration failed",
      verifyLink: "Invalid verification link",
      verify: "Verification failed. The link may be invalid or expired.",
      resetMail: "Failed to send reset email",
      reset: "Failed to reset password",
      profile: "Profile update failed",
      profileNotTold: "Failed to update profile",
    },
  ],
  [
    "Accounts, not answered",
    ACCOUNT_UNANSWERED,
    {
      verify: "An error occurred during verification. Please try again later.",
      resetMail: "Failed to send reset email. Please try again.",
      reset: "Failed to reset password. The link may be invalid or expired.",
      profile: "Failed to update profile. Please try again.",
    },
  ],
  [
    "Back office, links of the sidebar",
    Object.fromEntries(sections.map(({ path, link }) => [path, link])),
    {
      "/": "Dashboard",
      "/queue": "Queue",
      "/reports": "Reports",
      "/users": "Users",
      "/documents": "Documents",
      "/payments": "Payments",
      "/settings": "Settings",
      "/analytics": "Analytics",
      "/audit-logs": "Audit logs",
      "/content": "Content",
      "/system": "System",
      "/templates": "Email Templates",
    },
  ],
  [
    "Back office, titles in the header",
    Object.fromEntries(sections.map(({ path, title }) => [path, title])),
    {
      "/": "Admin Dashboard",
      "/reports": "Reports Management",
      "/system": "System Management",
      "/templates": "Email Templates",
    },
  ],
  [
    "System, actions",
    SYSTEM_ACTIONS,
    {
      restart: "Restart System",
      backup: "Create Backup",
      "check-updates": "Check Updates",
      "clear-cache": "Clear Cache",
      "security-scan": "Security Scan",
    },
  ],
  [
    "System, settings",
    Object.fromEntries(
      Object.entries(SYSTEM_SETTINGS_ROWS).map(([name, row]) => [
        name,
        "unit" in row ? `${row.label} (${row.unit})` : row.label,
      ]),
    ),
    {
      maintenanceMode: "Maintenance Mode",
      emailNotifications: "Email Notifications",
      autoBackup: "Auto Backup",
      debugMode: "Debug Mode",
      rateLimitEnabled: "Rate Limiting",
      maxFileSize: "Max File Size (MB)",
      sessionTimeout: "Session Timeout (minutes)",
    },
  ],
];

const SILENCE = new ApiError(0, "");
const REFUSED = new ApiError(409, "It is gone");
const JOB = { id: "", kind: "clear-cache", created_at: "", account_id: "", done: 0 } as const;
const clearing = (state: "done" | "failed") => endSentence("clear-cache", { ...JOB, state });

const outcomes = await runChecks({
  async read<T>(url: string) {
    if (url === STATUS_URL) throw SILENCE;
    return {} as T;
  },
});
const checks = outcomes.map(({ words }) => words);

/** Composed texts: where they appear, the text, what builds it, and the call that requests it. */
const COMPOSED: readonly (readonly [
  where: string,
  text: string,
  made: string | undefined,
  call?: string,
])[] = [
  ...["Fraud", "NSF", "Authorization", "Processing Error", "Duplicate", "Service Dispute"].map(
    (reason, i) => ["Search, reasons", reason, Object.keys(REASON_GROUPS)[i]] as const,
  ),
  ["Search", "7 reports found", `${formatCappedCount(7, false, "report")} found`],
  ["Search", "Sign in to search by email", signInToSearchBy("email")],
  ["Search", "Sign in to search by phone", signInToSearchBy("phone")],
  ["Cards of reports", "0 rebuttals", formatCount(0, "rebuttal")],
  ["Page of a report", "q***@***", maskEmail("quinn@example.com")],
  ["Page of a report", "(***) ***-****", maskPhone("+13035550123")],
  ["Page of a report", "****6789", maskAccount("123456789")],
  ["Page of a report", "411111******1111", maskCard("411111", "1111")],
  ["Legal pages", "$250.00", RESOLUTION_FEE_TEXT],
  ["Enterprise", "We answer within 24 hours.", INQUIRY_FORMS.enterprise.promise],
  ["DMCA", "We respond within 48 hours.", INQUIRY_FORMS.takedown.promise],
  ["Password reset", "Please fill in all fields", RESET_PASSWORD.missing.password],
  ...["dashboard statistics", "users", "analytics", "audit logs"].map(
    (what) =>
      [
        "Back office",
        `Failed to fetch ${what}: Unknown error occurred`,
        fetchFailureText(what, SILENCE),
        `fetchFailureText("${what}", `,
      ] as const,
  ),
  [
    "Reports of the back office",
    "Failed to load reports: Unknown error",
    loadFailureText("reports", new ApiError(500, "")),
    'loadFailureText("reports", ',
  ],
  [
    "Reports of the back office",
    "Network error: Connection failed",
    loadFailureText("reports", SILENCE),
  ],
  [
    "Reports of the back office",
    "Emergency approval error: It is gone",
    failureText(ROW_COMMANDS.approve, REFUSED),
  ],
  [
    "Reports of the back office",
    "Emergency deletion error: It is gone",
    failureText(ROW_COMMANDS.delete, REFUSED),
  ],
  [
    "Reports of the back office",
    "Manual verification error: It is gone",
    failureText(ROW_COMMANDS.verify, REFUSED),
  ],
  ["Edit of a report", "Edit error: It is gone", failureText(EDIT, REFUSED)],
  ["Users", "Failed to update user: It is gone", failureSentence("edit", REFUSED)],
  ["Users", "Failed to delete user: 502", failureSentence("delete", new ApiError(502, ""))],
  ["Users", "Failed to delete user: Unknown error occurred", failureSentence("delete", SILENCE)],
  ["Connectivity test", "Dashboard API working", checks[0]],
  ["Connectivity test", "Users API working", checks[1]],
  ["Connectivity test", "Reports API working", checks[2]],
  ["System", "Clear cache completed successfully", clearing("done")],
  ["System", "Failed to clear cache", clearing("failed")],
  ["System", "HTTP error! status: 502", failureReason(new ApiError(502, ""))],
];

const root = path.resolve(import.meta.dirname, "../..");

/** Returns the source files below folders, except tests and test support. */
function filesIn(folders: string): string[] {
  const patterns = folders.split(" ").map((folder) => `${folder}/**/*.{ts,tsx}`);
  return globSync(patterns, {
    cwd: root,
    exclude: (name) => /(^|[\\/])(node_modules|dist|testing|test-kit)$/.test(name),
  }).filter((file) => !/\.(test|fixture)\.tsx?$/.test(file));
}

type Node = { type: string; [key: string]: unknown };

const literalsOfFile = new Map<string, readonly string[]>();

/** Returns every string, template and run of JSX text in a file, with whitespace collapsed. */
function literalsOf(file: string): readonly string[] {
  const known = literalsOfFile.get(file);
  if (known) return known;
  const found: string[] = [];
  const source = readFileSync(path.join(root, file), "utf8");
  collect(parseSync(file, source).program as unknown as Node, found);
  const literals = found.map((text) => text.replace(/\s+/g, " ").trim());
  literalsOfFile.set(file, literals);
  return literals;
}

function collect(node: Node, into: string[]): void {
  const { type, value } = node;
  if (type === "ImportDeclaration") return;
  if (type === "Literal" && typeof value === "string") into.push(value);
  if (type === "TemplateLiteral") {
    const quasis = node.quasis as { value: { cooked: string } }[];
    into.push(quasis.map((part) => part.value.cooked).join("{}"));
  }
  if (type === "JSXElement" || type === "JSXFragment")
    into.push(...runsOf(node.children as Node[]));
  for (const child of Object.values(node).flat())
    if (typeof (child as Node | null)?.type === "string") collect(child as Node, into);
}

/** Returns the text runs between an element's child elements. */
function runsOf(children: readonly Node[]): string[] {
  const runs = [""];
  for (const child of children) {
    const last = runs.length - 1;
    if (child.type === "JSXText") runs[last] += String(child.value).replaceAll("&amp;", "&");
    else if (child.type === "JSXExpressionContainer") {
      const { value } = child.expression as Node;
      runs[last] += typeof value === "string" ? value : "{}";
    } else runs.push("");
  }
  return runs;
}

/** Returns whether a literal is the text; a final `…` in the text matches anything. */
function matcherOf(text: string): (literal: string) => boolean {
  const part = text.replaceAll("…", "");
  if (text.startsWith("…")) return (literal) => literal.includes(part);
  return text.endsWith("…") ? (literal) => literal.startsWith(part) : (literal) => literal === part;
}

describe("the texts that the specification names", () => {
  it.each(TEXTS)("appear in the code: %s", (_where, folders, texts) => {
    const literals = filesIn(folders).flatMap(literalsOf);
    expect(texts.filter((text) => !literals.some(matcherOf(text)))).toEqual([]);
  });

  it.each(TABLES)("appear in a table: %s", (_where, table, texts) => {
    expect(table).toMatchObject(texts);
  });

  it.each(COMPOSED)("are composed: %s, %s", (_where, text, made) => {
    expect(made).toBe(text);
  });

  it("are requested by the screens", () => {
    const console = filesIn("web-admin/src").map((file) => readFileSync(path.join(root, file)));
    const calls = COMPOSED.flatMap(([, , , call]) => call ?? []);
    expect(calls.filter((call) => !console.some((source) => source.includes(call)))).toEqual([]);
  });
});
