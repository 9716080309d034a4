import { describe, expect, it } from "vitest";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { DEFAULT_SETTINGS } from "#contracts/settings/catalogue.ts";
import {
  changedFields,
  changeOf,
  formOf,
  mergedForm,
  problemWith,
  valueInWords,
} from "./setting-values.ts";

const settings = (change: Partial<SystemSettings> = {}): SystemSettings => ({
  ...DEFAULT_SETTINGS,
  revision: 3,
  changes: {},
  ...change,
});

describe("the form of the settings", () => {
  it("sends what was changed in it, and the revision that was opened", () => {
    const opened = formOf(settings({ maintenanceUntil: "2026-11-24T10:00:30.000Z" }));
    expect(changeOf(opened, opened, 3)).toEqual({ revision: 3 });
    expect(changeOf(opened, { ...opened, debugMode: true }, 3)).toEqual({
      debugMode: true,
      revision: 3,
    });
  });

  it("sends numbers, and refuses what is none or out of bounds", () => {
    const opened = formOf(settings());
    const typed = { ...opened, maxFileSize: "8" };
    expect(changeOf(opened, typed, 3)).toEqual({ maxFileSize: 8, revision: 3 });
    const problem = "Max File Size must be a whole number from 1 to 10 MB";
    for (const value of ["0", "11", "2.5", "", "ten", "-1", "1e1"])
      expect(problemWith("maxFileSize", value), value).toBe(problem);
    expect(problemWith("maxFileSize", "10")).toBeUndefined();
    expect(problemWith("debugMode", true)).toBeUndefined();
  });

  it("shows and sends a moment in the reader's zone, and an empty one as none", () => {
    const opened = formOf(settings({ maintenanceUntil: "2026-11-24T10:00:00.000Z" }));
    const local = new Date("2026-11-24T11:00:00.000Z");
    const typed = { ...formOf(settings()), maintenanceUntil: localText(local) };
    expect(changeOf(opened, typed, 3)).toEqual({
      maintenanceUntil: "2026-11-24T11:00:00.000Z",
      revision: 3,
    });
    expect(changeOf(opened, { ...opened, maintenanceUntil: "" }, 3).maintenanceUntil).toBe("");
  });

  it("keeps what was typed, and takes theirs elsewhere, when somebody else was first", () => {
    const opened = formOf(settings());
    const mine = { ...opened, debugMode: true };
    const theirs = { ...opened, emailNotifications: false, maintenanceMessage: "Back" };
    const merged = mergedForm(opened, mine, theirs);
    expect(merged).toEqual({ ...theirs, debugMode: true });
    expect(changedFields(theirs, merged)).toEqual(["debugMode"]);
  });

  it("has words for values", () => {
    expect(valueInWords("debugMode", true)).toBe("on");
    expect(valueInWords("maxFileSize", "8")).toBe("8 MB");
    expect(valueInWords("maintenanceMessage", "")).toBe("none");
    expect(valueInWords("maintenanceMessage", "Back")).toBe("“Back”");
  });
});

/** As a browser's field for a date and time holds it. */
function localText(time: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
