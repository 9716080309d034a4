import { FILE_BYTES, MEGABYTE } from "../report/evidence-rules.ts";
import type { SettingRow } from "./setting-row.ts";

/** The settings of the page of the system, in the order of its form. */
export const SYSTEM_SETTINGS_ROWS = {
  maintenanceMode: {
    kind: "switch",
    default: false,
    label: "Maintenance Mode",
    sentence:
      "Visitors and accounts can read and search, but not send anything. Signing in and the console keep working. The site shows a banner.",
  },
  maintenanceMessage: {
    kind: "line",
    default: "",
    most: 300,
    of: "maintenanceMode",
    label: "Message on the banner",
    sentence:
      "Anyone can read it, and it stays in the history, so don't name anyone. Leave blank for a standard message.",
  },
  maintenanceUntil: {
    kind: "instant",
    default: "",
    mostDays: 30,
    of: "maintenanceMode",
    label: "Expected end",
    sentence:
      "Shown on the banner. Maintenance doesn't end by itself: turn it off when you're done.",
  },
  emailNotifications: {
    kind: "switch",
    default: true,
    label: "Email Notifications",
    sentence:
      "When off, we don't send emails about decisions, new reports or the week. We still send links, security alerts and requested emails. Emails skipped while this is off aren't sent later.",
  },
  autoBackup: {
    kind: "switch",
    default: false,
    label: "Auto Backup",
    sentence:
      "Makes a backup every day at the time set under Settings, and right away if today's is missing. Where services run as separate processes, the one named backup makes it and must be running.",
  },
  debugMode: {
    kind: "switch",
    default: false,
    label: "Debug Mode",
    sentence: "All services log in more detail. Personal data stays out of the logs.",
  },
  rateLimitEnabled: {
    kind: "switch",
    default: true,
    label: "Rate Limiting",
    sentence:
      "When off, reading and searching aren't limited for an hour, then it turns back on. Limits on sign-in, forms and emails stay.",
  },
  maxFileSize: {
    kind: "whole",
    default: FILE_BYTES / MEGABYTE,
    least: 1,
    most: FILE_BYTES / MEGABYTE,
    unit: "MB",
    label: "Max File Size",
    sentence: `For each file that visitors and accounts upload, up to ${FILE_BYTES / MEGABYTE} MB. Forms show it and refuse larger files.`,
  },
  sessionTimeout: {
    kind: "whole",
    default: 30,
    least: 5,
    most: 1440,
    unit: "minutes",
    label: "Session Timeout",
    sentence:
      "Admins and auditors who are inactive for this long must sign in again, even in sessions that are open now. Other accounts stay signed in for 14 days without use.",
  },
} as const satisfies Readonly<Record<string, SettingRow>>;
