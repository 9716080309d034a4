import { type SettingName, settingRow } from "./catalogue.ts";
import type { SettingValue } from "./setting-row.ts";

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
