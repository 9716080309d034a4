import { isEmail } from "../account/email.ts";
import { type SettingName, settingRow } from "./catalogue.ts";

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
  /** Unit, as shown to people. */
  readonly unit: string;
  /** 0 means the operator's configured value, and the field is then empty. */
  readonly orNone?: true;
}

/** One line of text; may be empty. Sealed in the log. */
interface Line {
  readonly kind: "line";
  readonly default: "";
  /** Maximum length, in characters. */
  readonly most: number;
}

/** An email address; empty for the operator's configured one. Sealed in the log. */
interface Address {
  readonly kind: "address";
  readonly default: "";
}

/** A timestamp, RFC 3339 in UTC with milliseconds; may be empty. */
interface Instant {
  readonly kind: "instant";
  readonly default: "";
  /** Maximum number of days in the future. */
  readonly mostDays: number;
}

/** A time of day in UTC, `02:00`; empty for the operator's configured one. */
interface TimeOfDay {
  readonly kind: "time";
  readonly default: "";
}

interface Choice {
  readonly kind: "choice";
  readonly default: string;
  /** Labels by code. */
  readonly choices: Readonly<Record<string, string>>;
}

/** Codes that are turned off, in the order of `choices`. */
interface SwitchedOff {
  readonly kind: "off";
  readonly default: readonly string[];
  /** Labels by code. */
  readonly choices: Readonly<Record<string, string>>;
}

/** A setting of the registry, with everything that more than one part of the project uses. */
export type SettingRow = (
  | Switch
  | Whole
  | Line
  | Address
  | Instant
  | TimeOfDay
  | Choice
  | SwitchedOff
) & {
  readonly label: string;
  /** Description for admins. */
  readonly sentence: string;
  /** The switch that it belongs to, next to which it is shown. */
  readonly of?: string;
  /** Whether all admins are emailed about a change, because it affects access or retention. */
  readonly notifiesAdmins?: true;
};

/** A setting's value. A list holds the codes that are turned off. */
export type SettingValue = boolean | number | string | string[];

/** The type of a row's values. */
export type ValueOf<R extends SettingRow> = R extends Switch
  ? boolean
  : R extends Whole
    ? number
    : R extends SwitchedOff
      ? string[]
      : string;

const DAY_MS = 24 * 3_600_000;
const TIME_OF_DAY = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

/**
 * Returns why a value is invalid, or undefined if it is valid.
 * @param value of the row's type.
 */
export function settingProblem(row: SettingRow, value: unknown, nowMs: number): string | undefined {
  const { label } = row;
  switch (row.kind) {
    case "switch":
      return undefined;
    case "whole": {
      const { least, most, unit, orNone } = row;
      const number = Number(value);
      if (orNone && number === 0) return undefined;
      if (Number.isInteger(value) && number >= least && number <= most) return undefined;
      const empty = orNone ? ", or empty" : "";
      return `${label} must be a whole number from ${least} to ${most} ${unit}${empty}`;
    }
    case "line":
      return String(value).length > row.most
        ? `${label} must have at most ${row.most} characters`
        : undefined;
    case "address":
      return value === "" || isEmail(String(value))
        ? undefined
        : `${label} must be an email address, or empty`;
    case "time":
      return value === "" || TIME_OF_DAY.test(String(value))
        ? undefined
        : `${label} must be hours and minutes as in 02:00, or empty`;
    case "choice":
      return Object.hasOwn(row.choices, String(value))
        ? undefined
        : `${label} must be one of ${Object.keys(row.choices).join(", ")}`;
    case "off": {
      const codes = Object.keys(row.choices);
      return (value as readonly string[]).every((code) => codes.includes(code))
        ? undefined
        : `${label} must be among ${codes.join(", ")}`;
    }
    case "instant": {
      if (value === "") return undefined;
      const ms = Date.parse(String(value));
      if (Number.isNaN(ms)) return `${label} must be a date and time`;
      if (ms <= nowMs) return `${label} must be in the future`;
      return ms > nowMs + row.mostDays * DAY_MS
        ? `${label} may be at most ${row.mostDays} days ahead`
        : undefined;
    }
  }
}

/** Formats a value for people: "on", "10 MB", "all but Duplicate", "as installed". */
export function settingText(name: SettingName, value: SettingValue | undefined): string {
  const row = settingRow(name);
  if (typeof value === "boolean") return value ? "on" : "off";
  switch (row.kind) {
    case "whole":
      return row.orNone && Number(value ?? 0) === 0 ? NAMED : `${value} ${row.unit}`;
    case "choice":
      return (row.choices[String(value ?? row.default)] ?? String(value)).toLowerCase();
    case "off": {
      const codes = (value ?? []) as readonly string[];
      const words = codes.map((code) => row.choices[code] ?? code);
      return words.length === 0 ? "all" : `all but ${words.join(", ")}`;
    }
    case "address":
      return value ? String(value) : NAMED;
    case "time":
      return value ? `${value} UTC` : NAMED;
    default:
      return value === undefined || value === "" ? "none" : String(value);
  }
}

const NAMED = "set by the operator";
