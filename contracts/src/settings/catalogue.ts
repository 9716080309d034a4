import { SESSION_IDLE_DAYS } from "../account/deadlines.ts";
import { FILE_BYTES, MEGABYTE } from "../report/evidence-rules.ts";
import { ERASE_HOURS } from "../report/reporter-rules.ts";
import { REJECTION_REASONS } from "../report/words.ts";
import { RETENTION_DAYS, type SettableRetention, SHORTEST_DAYS } from "../retention.ts";
import type { SettingRow, ValueOf } from "./setting-row.ts";

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
    sentence: `Admins and auditors who are inactive for this long must sign in again, even in sessions that are open now. Other accounts stay signed in for ${SESSION_IDLE_DAYS} days without use.`,
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

const { other: _, ...REASONS } = REJECTION_REASONS;

/** Never longer than the privacy page promises as it ships: that is what people were told. */
const kept = <L extends string, S extends string>(what: SettableRetention, label: L, sentence: S) =>
  ({
    kind: "whole",
    default: RETENTION_DAYS[what],
    least: SHORTEST_DAYS[what],
    most: RETENTION_DAYS[what],
    unit: "days",
    isTold: true,
    label,
    sentence,
  }) as const;

/** The settings of the page Settings, in the order of its form. */
const REGISTRY_SETTINGS_ROWS = {
  backupTime: {
    kind: "time",
    default: "",
    isTold: true,
    label: "Time of the daily backup (UTC)",
    sentence:
      "While Auto Backup is on under System. Empty: the time that the operator has named, 02:00 UTC unless told otherwise.",
  },
  backupKeep: {
    kind: "whole",
    default: 0,
    least: 2,
    most: 365,
    unit: "days",
    orNone: true,
    isTold: true,
    label: "Backups kept",
    sentence:
      "Backups of this many of the last days that have any are kept, all of each day. Older ones are removed once a new one was read to its end. Empty: the number that the operator has set, 7 by default.",
  },
  staffSecondFactor: {
    kind: "choice",
    default: "installed",
    choices: { installed: "As installed", on: "Required", off: "Not required" },
    isTold: true,
    label: "Second factor for staff",
    sentence:
      "Required: a staff account without two-factor authentication can only sign in, set it up and manage itself.",
  },
  supportEmail: {
    kind: "address",
    default: "",
    isTold: true,
    label: "Support address",
    sentence:
      "Pages and mails name it, answers to mails go there, and so do inquiries. Mails are still sent from the operator's address. Empty: the operator's address.",
  },
  salesEmail: {
    kind: "address",
    default: "",
    isTold: true,
    label: "Sales address",
    sentence:
      "Inquiries about enterprise plans go there. Empty: the one that the operator has named, or else the support address.",
  },
  rejectReasonsOff: {
    kind: "off",
    default: [],
    choices: REASONS,
    label: "Reasons for rejection",
    sentence:
      "Moderators choose among those that are ticked, or write a reason of their own. What was rejected before keeps its reason.",
  },
  eraseHours: {
    kind: "whole",
    default: ERASE_HOURS.default,
    least: ERASE_HOURS.least,
    most: ERASE_HOURS.most,
    unit: "hours",
    isTold: true,
    label: "Deleted reports can be restored for",
    sentence:
      "A deleted report is hidden immediately and erased after this many hours. Until then, any admin can undo the deletion. A change applies to later deletions, and the privacy page says it.",
  },
  keepUnconfirmedReports: kept(
    "unconfirmed_report",
    "Unconfirmed reports",
    "A report whose reporter never confirmed the address is deleted after so long.",
  ),
  keepUnconfirmedAccounts: kept(
    "unconfirmed_account",
    "Unconfirmed accounts",
    "An account whose address nobody confirmed ends after so long.",
  ),
  keepRejectedReports: kept(
    "rejected_report",
    "Rejected reports",
    "A rejected report is deleted so long after the rejection.",
  ),
  keepInquiries: kept(
    "inquiry",
    "Inquiries and notices",
    "What somebody sent by a form is erased after so long.",
  ),
  keepSecurityEvents: kept(
    "security_event",
    "Security events",
    "Refused sign-ins and calls are erased so long after the end of their month.",
  ),
} as const satisfies Readonly<Record<string, SettingRow>>;

type RegistrySettingName = keyof typeof REGISTRY_SETTINGS_ROWS;
/** Those of the page Settings. */
export const REGISTRY_SETTING_NAMES = Object.keys(REGISTRY_SETTINGS_ROWS) as RegistrySettingName[];

/** A part of the page Settings. */
interface SettingGroup {
  readonly title: string;
  /** What holds for all of them. */
  readonly sentence?: string;
  readonly names: readonly RegistrySettingName[];
}

/** The parts of the page Settings, in their order. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: "Backups",
    sentence:
      "Where they go is the operator's to say (BACKUP_URL): no session can send them elsewhere.",
    names: ["backupTime", "backupKeep"],
  },
  { title: "Sign-in of staff", names: ["staffSecondFactor"] },
  {
    title: "Addresses",
    sentence: "Each is one that everybody may read.",
    names: ["supportEmail", "salesEmail"],
  },
  { title: "Decisions", names: ["rejectReasonsOff", "eraseHours"] },
  {
    title: "How long things are kept",
    sentence:
      "The privacy page says what is set here. Less than now deletes for good what is older, within the hour. More than the software ships with cannot be set, because people were promised less.",
    names: [
      "keepUnconfirmedReports",
      "keepUnconfirmedAccounts",
      "keepRejectedReports",
      "keepInquiries",
      "keepSecurityEvents",
    ],
  },
];

/** Every setting, in the order of the forms, by its name on the wire; the log has it in snake case. */
export const SETTINGS = { ...SYSTEM_SETTINGS_ROWS, ...REGISTRY_SETTINGS_ROWS } as const;

type Rows = typeof SETTINGS;
export type SettingName = keyof Rows;
const namesOf = <R extends object>(rows: R) => Object.keys(rows) as (keyof R)[];
export const SETTING_NAMES: readonly SettingName[] = namesOf(SETTINGS);
/** Those of the page of the system. */
export const SYSTEM_SETTING_NAMES: readonly SettingName[] = namesOf(SYSTEM_SETTINGS_ROWS);

/** A value for each setting. */
export type SettingValues = { readonly [N in SettingName]: ValueOf<Rows[N]> };

/** The row of a setting, whichever it is. */
export const settingRow = (name: SettingName): SettingRow => SETTINGS[name];

/** What applies until somebody changes it. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTINGS[name].default]),
) as unknown as SettingValues;

/** How long reading and searching can stay without limits, in milliseconds. */
export const LIMITS_OFF_MS = 3_600_000;

/** What the banner says when no message was written. */
export const MAINTENANCE_SENTENCE =
  "The registry is under maintenance. You can read and search, but you can't send anything right now.";

/** Days by what is kept. */
export type KeptDays = Readonly<Record<keyof typeof RETENTION_DAYS, number>>;

/** How long things are kept under these settings. */
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
