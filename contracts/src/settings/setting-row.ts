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
  /** Words for what is counted. */
  readonly unit: string;
  /** 0 stands for what the operator has named, and the field is then empty. */
  readonly orNone?: true;
}

/** One line of text; empty for none. It is sealed in the log. */
interface Line {
  readonly kind: "line";
  readonly default: "";
  /** Longest text, in characters. */
  readonly most: number;
}

/** An email address; empty for the one that the operator has named. It is sealed in the log. */
interface Address {
  readonly kind: "address";
  readonly default: "";
}

/** A moment, RFC 3339 in UTC with milliseconds; empty for none. */
interface Instant {
  readonly kind: "instant";
  readonly default: "";
  /** How far ahead it may be, in days. */
  readonly mostDays: number;
}

/** Hours and minutes of each day in UTC, `02:00`; empty for what the operator has named. */
interface TimeOfDay {
  readonly kind: "time";
  readonly default: "";
}

/** One of several, by its code. */
interface Choice {
  readonly kind: "choice";
  readonly default: string;
  /** Words by code. */
  readonly choices: Readonly<Record<string, string>>;
}

/** Some of several, by their codes, in the order of `choices`: those that are switched off. */
interface SwitchedOff {
  readonly kind: "off";
  readonly default: readonly string[];
  /** Words by code. */
  readonly choices: Readonly<Record<string, string>>;
}

/** A setting of the registry: everything that more than one part of the project needs to know. */
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
  /** What it does, for anyone who sets it. */
  readonly sentence: string;
  /** The switch that it belongs to. It is asked for beside it. */
  readonly of?: string;
  /** Whether every admin is emailed about a change: it concerns who gets in, or what is kept. */
  readonly isTold?: true;
};

/** A setting's value: a list of codes is of those that are switched off. */
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

/** Why a setting can't have a value, in a sentence; undefined if it can. @param value of the row's type. */
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
        ? `${label} may have ${row.most} characters`
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

/** A value for people: "on", "10 MB", "all but Duplicate", "as installed". */
export function settingInWords(name: SettingName, value: SettingValue | undefined): string {
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

const NAMED = "as the operator has named";
