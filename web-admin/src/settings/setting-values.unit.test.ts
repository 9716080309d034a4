import { describe, expect, it } from "vitest";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { DEFAULT_SETTINGS } from "#contracts/settings/catalogue.ts";
import { formatInstant } from "../shared/formats.ts";
import {
  changedFields,
  changeOf,
  formOf,
  mergedForm,
  problemWith,
  shortened,
  valueText,
} from "./setting-values.ts";

const settings = (change: Partial<SystemSettings> = {}): SystemSettings => ({
  ...DEFAULT_SETTINGS,
  revision: 3,
  changes: {},
  otherwise: {},
  ...change,
});

describe("the settings form", () => {
  it("sends the changed fields, and the revision that was opened", () => {
    const opened = formOf(settings({ maintenanceUntil: "2026-11-24T10:00:30.000Z" }));
    expect(changeOf(opened, opened, 3)).toEqual({ revision: 3 });
    expect(changeOf(opened, { ...opened, debugMode: true }, 3)).toEqual({
      debugMode: true,
      revision: 3,
    });
  });

  it("sends numbers, and rejects non-numbers and values out of range", () => {
    const opened = formOf(settings());
    const typed = { ...opened, maxFileSize: "8" };
    expect(changeOf(opened, typed, 3)).toEqual({ maxFileSize: 8, revision: 3 });
    const problem = "Max File Size must be a whole number from 1 to 10 MB";
    for (const value of ["0", "11", "2.5", "", "ten", "-1", "1e1"])
      expect(problemWith("maxFileSize", value), value).toBe(problem);
    expect(problemWith("maxFileSize", "10")).toBeUndefined();
    expect(problemWith("debugMode", true)).toBeUndefined();
  });

  it('shows and sends a time in the reader\'s time zone, and "" for none', () => {
    const opened = formOf(settings({ maintenanceUntil: "2026-11-24T10:00:00.000Z" }));
    const local = new Date("2026-11-24T11:00:00.000Z");
    const typed = { ...formOf(settings()), maintenanceUntil: localText(local) };
    expect(changeOf(opened, typed, 3)).toEqual({
      maintenanceUntil: "2026-11-24T11:00:00.000Z",
      revision: 3,
    });
    expect(changeOf(opened, { ...opened, maintenanceUntil: "" }, 3).maintenanceUntil).toBe("");
    expect(problemWith("maintenanceUntil", typed.maintenanceUntil)).toBeUndefined();
    expect(problemWith("maintenanceUntil", "")).toBeUndefined();
    expect(problemWith("maintenanceUntil", "123456-01-01T00:00")).toBe(
      "Expected end must be a date and time",
    );
  });

  it("keeps what was typed and otherwise takes the other admin's changes", () => {
    const opened = formOf(settings());
    const mine = { ...opened, debugMode: true };
    const theirs = { ...opened, emailNotifications: false, maintenanceMessage: "Back" };
    const merged = mergedForm(opened, mine, theirs);
    expect(merged).toEqual({ ...theirs, debugMode: true });
    expect(changedFields(theirs, merged)).toEqual(["debugMode"]);
  });

  it("formats values", () => {
    expect(valueText("debugMode", true)).toBe("on");
    expect(valueText("maxFileSize", "8")).toBe("8 MB");
    expect(valueText("maintenanceMessage", "")).toBe("none");
    expect(valueText("maintenanceMessage", "Back")).toBe("“Back”");
    expect(valueText("maintenanceUntil", "")).toBe("none");
    expect(valueText("maintenanceUntil", "2026-05-02T14:05")).toBe(
      formatInstant(new Date("2026-05-02T14:05").toISOString()),
    );
    expect(valueText("backupKeep", "")).toBe("set by the operator");
    expect(valueText("backupKeep", "14")).toBe("14 days");
    expect(valueText("rejectReasonsOff", "duplicate,abusive")).toBe("all but Duplicate, Abusive");
    expect(valueText("staffSecondFactor", "on")).toBe("required");
  });

  it("has an empty field for a value set by the operator", () => {
    const opened = formOf(settings());
    expect(opened.backupKeep).toBe("");
    expect(changeOf(opened, { ...opened, backupKeep: "14" }, 3).backupKeep).toBe(14);
    const set = formOf(settings({ backupKeep: 14 }));
    expect(changeOf(set, { ...set, backupKeep: "" }, 3).backupKeep).toBe(0);
    expect(problemWith("backupKeep", "")).toBeUndefined();
    for (const value of ["1", "366", "2.5", "0x2", "-2", " "])
      expect(problemWith("backupKeep", value), value).toMatch(/from 2 to 365 days, or empty$/);
    expect(problemWith("supportEmail", " a@b.example ")).toBeUndefined();
    expect(problemWith("supportEmail", "a")).toMatch(/must be an email address/);
  });

  it("sends the codes that are not checked", () => {
    const opened = formOf(settings());
    expect(opened.rejectReasonsOff).toBe("");
    const typed = { ...opened, rejectReasonsOff: "duplicate,abusive" };
    expect(changeOf(opened, typed, 3).rejectReasonsOff).toEqual(["duplicate", "abusive"]);
    const set = formOf(settings({ rejectReasonsOff: ["duplicate"] }));
    expect(changeOf(set, { ...set, rejectReasonsOff: "" }, 3).rejectReasonsOff).toEqual([]);
  });

  it("detects a shorter retention", () => {
    const opened = formOf(settings());
    expect(shortened(opened, { ...opened, keepRejectedReports: "90", backupKeep: "2" })).toEqual([
      "keepRejectedReports",
    ]);
    const short = { ...opened, keepRejectedReports: "90" };
    expect(shortened(short, opened)).toEqual([]);
  });
});

/** Formats a time like a browser's input for date and time. */
function localText(time: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
