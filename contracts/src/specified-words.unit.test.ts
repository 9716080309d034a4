import { expect, it } from "vitest";
import { USER_PAGE_SIZES, USER_ROLES, USER_STATUSES } from "./account/account-messages.ts";
import { CONTENT_KINDS, CONTENT_STATUSES } from "./content/content-rules.ts";
import { RECENT_ACTIVITY } from "./http/analytics.ts";
import { PART_STATUSES, SYSTEM_PART_NAMES } from "./http/system.ts";
import { TEMPLATE_STATUSES, TEMPLATE_TYPES } from "./mail/template-kinds.ts";
import { DEFAULT_PERIOD, PERIOD_NAMES } from "./report/periods.ts";
import { CHARGEBACK_REASONS } from "./report/reasons.ts";
import { REPORT_STATUSES, RESOLUTION_STATUSES } from "./report/words.ts";
import { SYSTEM_SETTINGS_ROWS } from "./settings/catalogue.ts";
import { SYSTEM_ACTIONS } from "./system/actions.ts";

// Codes, spelled out so that a test notices when one that programs rely on is gone. The texts that people
// read are in tools/docs/specified-texts.unit.test.ts.
const names = (table: object) => Object.keys(table);

it("the codes of a report are those of the specification, plus one resolution status", () => {
  expect(names(CHARGEBACK_REASONS)).toEqual([
    "services_received",
    "fraudulent",
    "duplicate",
    "product_not_received",
    "product_not_as_described",
    "credit_not_processed",
    "general",
    "goods_received",
    "duplicate_charge",
    "not_as_described",
    "bounced_check",
    "stop_payment_check",
    "wire_recall",
    "other",
  ]);
  expect(names(REPORT_STATUSES).sort()).toEqual([
    "approved",
    "pending",
    "rejected",
    "under_review",
  ]);
  expect(names(RESOLUTION_STATUSES)).toEqual([
    "unresolved",
    "in_progress",
    "partially_resolved",
    "resolved",
  ]);
});

it("users, texts and templates have the specified roles, types and statuses", () => {
  expect(names(USER_STATUSES)).toEqual(["active", "pending", "banned", "deactivated"]);
  expect(names(USER_ROLES)).toEqual(["user", "admin", "auditor"]);
  expect(USER_PAGE_SIZES).toEqual([5, 10, 25]);
  expect(names(CONTENT_KINDS).sort()).toEqual(["blog", "faq", "legal", "page"]);
  expect(names(CONTENT_STATUSES)).toEqual(["draft", "published"]);
  expect(names(TEMPLATE_TYPES)).toEqual(["email", "notification", "report", "legal"]);
  expect(names(TEMPLATE_STATUSES)).toEqual(["active", "inactive", "draft"]);
});

it("dashboard and analytics have the specified bounds and periods", () => {
  expect(RECENT_ACTIVITY).toBe(5);
  expect(PERIOD_NAMES).toEqual(["7days", "30days", "3months", "6months", "1year"]);
  expect(DEFAULT_PERIOD).toBe("30days");
});

it("the system has the specified parts, actions and settings, with their defaults", () => {
  expect(SYSTEM_PART_NAMES.slice(0, 4)).toEqual(["database", "redis", "s3", "email"]);
  expect(names(PART_STATUSES)).toEqual(["connected", "disconnected", "error"]);
  expect(names(SYSTEM_ACTIONS)).toEqual([
    "restart",
    "backup",
    "check-updates",
    "clear-cache",
    "security-scan",
  ]);
  const { maintenanceMessage: _, maintenanceUntil: __, ...seven } = SYSTEM_SETTINGS_ROWS;
  expect(Object.entries(seven).map(([name, row]) => [name, row.default])).toEqual([
    ["maintenanceMode", false],
    ["emailNotifications", true],
    ["autoBackup", false],
    ["debugMode", false],
    ["rateLimitEnabled", true],
    ["maxFileSize", 10],
    ["sessionTimeout", 30],
  ]);
});
