import { FILE_BYTES, MEGABYTE } from "../report/evidence-rules.ts";
import type { SettingRow } from "./setting-row.ts";

/** The settings of the page of the system, in the order of its form. */
export const SYSTEM_SETTINGS_ROWS = {
  maintenanceMode: {
    kind: "switch",
    default: false,
    label: "Maintenance Mode",
    sentence:
      "Visitors and accounts can read and search, and nothing that they send is taken. Sign-in and the console go on. The site shows a banner.",
  },
  maintenanceMessage: {
    kind: "line",
    default: "",
    most: 300,
    of: "maintenanceMode",
    label: "Message on the banner",
    sentence:
      "Everybody reads it, and it stays in the history: name nobody. Empty: a standard one.",
  },
  maintenanceUntil: {
    kind: "instant",
    default: "",
    mostDays: 30,
    of: "maintenanceMode",
    label: "Expected end",
    sentence: "Shown on the banner. Maintenance ends when you switch it off, not by itself.",
  },
  emailNotifications: {
    kind: "switch",
    default: true,
    label: "Email Notifications",
    sentence:
      "Off: nobody is mailed of decisions, further reports or the week. Links, security mails and what somebody asked for still go out. What is not sent meanwhile is not sent later.",
  },
  autoBackup: {
    kind: "switch",
    default: false,
    label: "Auto Backup",
    sentence:
      "A backup is made every day, at the time that is set under Settings, and at once while today's is missing. Where services are separate processes, the one named backup makes it, and has to run.",
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
      "Off: reading and searching are not limited for an hour, then it comes back by itself. Limits on sign-in, forms and mails stay.",
  },
  maxFileSize: {
    kind: "whole",
    default: FILE_BYTES / MEGABYTE,
    least: 1,
    most: FILE_BYTES / MEGABYTE,
    unit: "MB",
    label: "Max File Size",
    sentence: `Of each file that visitors and accounts upload, at most ${FILE_BYTES / MEGABYTE} MB. Forms say it, and refuse a larger file.`,
  },
  sessionTimeout: {
    kind: "whole",
    default: 30,
    least: 5,
    most: 1440,
    unit: "minutes",
    label: "Session Timeout",
    sentence:
      "Admins and auditors who do nothing for so long have to sign in again, also in sessions that are open now. Other accounts stay signed in for 14 days without use.",
  },
} as const satisfies Readonly<Record<string, SettingRow>>;
