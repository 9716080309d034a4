import { FILE_BYTES, MEGABYTE } from "../report/evidence-rules.ts";

/** A setting that is on or off. */
interface Switch {
  readonly kind: "switch";
  readonly default: boolean;
}

/** A whole number within bounds. */
interface Whole {
  readonly kind: "whole";
  readonly default: number;
  readonly least: number;
  readonly most: number;
  /** Words for what is counted. */
  readonly unit: string;
}

/** One line of text; empty for none. */
interface Line {
  readonly kind: "line";
  readonly default: "";
  /** Longest text, in characters. */
  readonly most: number;
}

/** A moment, RFC 3339 in UTC with milliseconds; empty for none. */
interface Instant {
  readonly kind: "instant";
  readonly default: "";
  /** How far ahead it may be, in days. */
  readonly mostDays: number;
}

/** A setting of the registry: everything that more than one part of the project needs to know. */
export type SettingRow = (Switch | Whole | Line | Instant) & {
  readonly label: string;
  /** What it does, for whoever sets it. */
  readonly sentence: string;
  /** The switch that it belongs to. It is asked for beside it. */
  readonly of?: string;
};

/**
 * Every setting that has an effect, in the order of the form. The names are those of the wire; the
 * log has them in lower case with underscores.
 */
export const SETTINGS = {
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
      "A backup is made every day, at 02:00 UTC unless the operator has named another time, and at once while today's is missing. Where services are separate processes, the operator's timer makes them, whatever is set here.",
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

type Rows = typeof SETTINGS;
export type SettingName = keyof Rows;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

type ValueOf<R extends SettingRow> = R extends Switch ? boolean : R extends Whole ? number : string;
/** A value for each setting. */
export type SettingValues = { readonly [N in SettingName]: ValueOf<Rows[N]> };

/** The row of a setting, whichever it is. */
export const settingRow = (name: SettingName): SettingRow => SETTINGS[name];

/** What applies until somebody changes it. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTINGS[name].default]),
) as SettingValues;

/** How long reading and searching can stay without limits, in milliseconds. */
export const LIMITS_OFF_MS = 3_600_000;

/** What the banner says when no message was written. */
export const MAINTENANCE_SENTENCE =
  "The registry is being maintained. Reading and searching go on; nothing can be sent right now.";
