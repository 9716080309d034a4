/** A setting that is on or off. */
export interface Switch {
  readonly kind: "switch";
  readonly default: boolean;
}

/** A whole number within bounds. */
export interface Whole {
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
export interface Line {
  readonly kind: "line";
  readonly default: "";
  /** Longest text, in characters. */
  readonly most: number;
}

/** An e-mail address; empty for the one that the operator has named. It is sealed in the log. */
export interface Address {
  readonly kind: "address";
  readonly default: "";
}

/** A moment, RFC 3339 in UTC with milliseconds; empty for none. */
export interface Instant {
  readonly kind: "instant";
  readonly default: "";
  /** How far ahead it may be, in days. */
  readonly mostDays: number;
}

/** Hours and minutes of each day in UTC, `02:00`; empty for what the operator has named. */
export interface TimeOfDay {
  readonly kind: "time";
  readonly default: "";
}

/** One of several, by its code. */
export interface Choice {
  readonly kind: "choice";
  readonly default: string;
  /** Words by code. */
  readonly choices: Readonly<Record<string, string>>;
}

/** Some of several, by their codes, in the order of `choices`: those that are switched off. */
export interface SwitchedOff {
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
  /** What it does, for whoever sets it. */
  readonly sentence: string;
  /** The switch that it belongs to. It is asked for beside it. */
  readonly of?: string;
  /** Whether every admin is mailed of a change: it concerns who gets in, or what is kept. */
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
