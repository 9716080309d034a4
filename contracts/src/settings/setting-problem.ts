import { isEmail } from "../account/email.ts";
import type { SettingRow } from "./setting-row.ts";

const DAY_MS = 24 * 3_600_000;
const TIME_OF_DAY = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

/**
 * Why a setting cannot have a value, in a sentence; undefined if it can.
 * @param value as it is sent; its type is the row's.
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
