import { SESSION_IDLE_DAYS } from "../account/deadlines.ts";
import { FILE_BYTES, MEGABYTE } from "../report/evidence-rules.ts";
import { ERASE_HOURS } from "../report/reporter-rules.ts";
import { REJECTION_REASONS } from "../report/words.ts";
import { RETENTION_DAYS, type SettableRetention, SHORTEST_DAYS } from "../retention.ts";
import type { SettingRow, ValueOf } from "./setting-row.ts";

/** Settings of the console's System page, in form order. */
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
      "Creates a daily backup at the time set under Settings, and right away if today's is missing. Where services run as separate processes, the one named backup creates it and must be running.",
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
    sentence: `Admins and auditors who are inactive for this long must sign in again, even in sessions that are open now. Other accounts stay signed in for ${SESSION_IDLE_DAYS} days without use.`,
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

const { other: _, ...REASONS } = REJECTION_REASONS;

/** Never longer than the shipped privacy page promises, because that is what people were told. */
const kept = <L extends string, S extends string>(what: SettableRetention, label: L, sentence: S) =>
  ({
    kind: "whole",
    default: RETENTION_DAYS[what],
    least: SHORTEST_DAYS[what],
    most: RETENTION_DAYS[what],
    unit: "days",
    notifiesAdmins: true,
    label,
    sentence,
  }) as const;

/** Settings of the console's Settings page, in form order. */
const REGISTRY_SETTINGS_ROWS = {
  backupTime: {
    kind: "time",
    default: "",
    notifiesAdmins: true,
    label: "Time of the daily backup (UTC)",
    sentence:
      "While Auto Backup is on under System. Leave blank to use the operator's time, 02:00 UTC by default.",
  },
  backupKeep: {
    kind: "whole",
    default: 0,
    least: 2,
    most: 365,
    unit: "days",
    orNone: true,
    notifiesAdmins: true,
    label: "Backups kept",
    sentence:
      "Keeps all backups of this many of the most recent days that have any. Older ones are removed once a new one has been verified. Leave blank to use the operator's number.",
  },
  staffSecondFactor: {
    kind: "choice",
    default: "installed",
    choices: { installed: "Server default", on: "Required", off: "Not required" },
    notifiesAdmins: true,
    label: "Second factor for staff",
    sentence:
      "If required, staff without two-factor authentication can only sign in, set it up and manage their own account.",
  },
  supportEmail: {
    kind: "address",
    default: "",
    notifiesAdmins: true,
    label: "Support address",
    sentence:
      "Shown on pages and in emails. Replies to emails and inquiries go there. Emails are still sent from the operator's address.",
  },
  salesEmail: {
    kind: "address",
    default: "",
    notifiesAdmins: true,
    label: "Sales address",
    sentence: "Inquiries about enterprise plans go there.",
  },
  rejectReasonsOff: {
    kind: "off",
    default: [],
    choices: REASONS,
    label: "Reasons for rejection",
    sentence:
      "Moderators choose from the selected reasons or write their own. Reports rejected earlier keep their reason.",
  },
  eraseHours: {
    kind: "whole",
    default: ERASE_HOURS.default,
    least: ERASE_HOURS.least,
    most: ERASE_HOURS.most,
    unit: "hours",
    notifiesAdmins: true,
    label: "Deleted reports can be restored for",
    sentence:
      "A deleted report is hidden immediately and erased after this many hours. Until then, any admin can undo the deletion. A change applies to later deletions and appears on the privacy page.",
  },
  keepUnconfirmedReports: kept(
    "unconfirmed_report",
    "Unconfirmed reports",
    "Reports whose reporter never confirms their email are deleted after this many days.",
  ),
  keepUnconfirmedAccounts: kept(
    "unconfirmed_account",
    "Unconfirmed accounts",
    "Accounts whose email is never confirmed are closed after this many days.",
  ),
  keepRejectedReports: kept(
    "rejected_report",
    "Rejected reports",
    "Rejected reports are deleted this many days after the rejection.",
  ),
  keepInquiries: kept(
    "inquiry",
    "Inquiries and notices",
    "What people sent using a form is erased after this many days.",
  ),
  keepSecurityEvents: kept(
    "security_event",
    "Security events",
    "Refused sign-ins and calls are erased this many days after the end of their month.",
  ),
} as const satisfies Readonly<Record<string, SettingRow>>;

type RegistrySettingName = keyof typeof REGISTRY_SETTINGS_ROWS;
/** Names of the settings on the Settings page. */
export const REGISTRY_SETTING_NAMES = Object.keys(REGISTRY_SETTINGS_ROWS) as RegistrySettingName[];

/** A section of the Settings page. */
interface SettingGroup {
  readonly title: string;
  /** Applies to all settings of the section. */
  readonly sentence?: string;
  readonly names: readonly RegistrySettingName[];
}

/** Sections of the Settings page, in order. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: "Backups",
    sentence: "The location is set by the operator (BACKUP_URL) and can't be changed here.",
    names: ["backupTime", "backupKeep"],
  },
  { title: "Staff sign-in", names: ["staffSecondFactor"] },
  {
    title: "Addresses",
    sentence: "Anyone can see these addresses.",
    names: ["supportEmail", "salesEmail"],
  },
  { title: "Decisions", names: ["rejectReasonsOff", "eraseHours"] },
  {
    title: "How long things are kept",
    sentence:
      "These periods appear on the privacy page. Shortening one permanently deletes older data within the hour. You can't exceed the default.",
    names: [
      "keepUnconfirmedReports",
      "keepUnconfirmedAccounts",
      "keepRejectedReports",
      "keepInquiries",
      "keepSecurityEvents",
    ],
  },
];

/** All settings in form order, by wire name. The log uses snake case. */
export const SETTINGS = { ...SYSTEM_SETTINGS_ROWS, ...REGISTRY_SETTINGS_ROWS } as const;

type Rows = typeof SETTINGS;
export type SettingName = keyof Rows;
const namesOf = <R extends object>(rows: R) => Object.keys(rows) as (keyof R)[];
export const SETTING_NAMES: readonly SettingName[] = namesOf(SETTINGS);
/** Names of the settings on the System page. */
export const SYSTEM_SETTING_NAMES: readonly SettingName[] = namesOf(SYSTEM_SETTINGS_ROWS);

/** A value for each setting. */
export type SettingValues = { readonly [N in SettingName]: ValueOf<Rows[N]> };

/** Returns the row of any setting. */
export const settingRow = (name: SettingName): SettingRow => SETTINGS[name];

/** Values that apply until someone changes them. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTINGS[name].default]),
) as unknown as SettingValues;

/** How long reads and searches can stay unlimited, in milliseconds. */
export const LIMITS_OFF_MS = 3_600_000;

/** Default message of the maintenance banner. */
export const MAINTENANCE_SENTENCE =
  "The registry is under maintenance. You can read and search, but you can't send anything right now.";

/** Retention in days, by kind of data. */
export type KeptDays = Readonly<Record<keyof typeof RETENTION_DAYS, number>>;

/** Returns the retention periods under these settings. */
export function keptDays(settings: SettingValues): KeptDays {
  return {
    ...RETENTION_DAYS,
    unconfirmed_account: settings.keepUnconfirmedAccounts,
    unconfirmed_report: settings.keepUnconfirmedReports,
    rejected_report: settings.keepRejectedReports,
    inquiry: settings.keepInquiries,
    security_event: settings.keepSecurityEvents,
  };
}
