import { describe, expect, it } from "vitest";
import { DomainError } from "#contracts/domain-error.ts";
import type { SettingsEvent } from "#contracts/events/index.ts";
import { evolveSettings, storedName } from "#contracts/events/settings/settings-fold.ts";
import { SettingsChanged } from "#contracts/events/settings.ts";
import {
  DEFAULT_SETTINGS,
  SETTING_NAMES,
  SETTINGS,
  type SettingValues,
  settingRow,
} from "#contracts/settings/catalogue.ts";
import { settingsAt } from "#contracts/settings/settings-at.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideSettings } from "./settings.decider.ts";

const now = "2026-11-24T10:00:00.000Z";
const at = (time: string) =>
  givenFor({ decide: decideSettings, evolve: evolveSettings, moment: { now: time, newId: "n" } });
const given = at(now);

type State = Parameters<typeof evolveSettings>[0];
const ADMINS = ["6f9619ff-8b86-4d01-b42d-00cf4fc964ff"];
const change = (changes: Partial<SettingValues>, seen?: number) =>
  ({ type: "ChangeSettings", changes, seen, admins: ADMINS }) as const;
const changed = (data: SettingsEvent["data"]): SettingsEvent => ({ type: "SettingsChanged", data });
const LIMITS_OFF = changed({
  rate_limit_enabled: false,
  rate_limit_off_until: "2026-11-24T11:00:00.000Z",
});

/** Returns the code and field problems of a refusal. */
function problems(
  events: readonly SettingsEvent[],
  changes: Partial<SettingValues>,
  seen?: number,
) {
  try {
    given(...events).when(change(changes, seen)).events;
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.fields];
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a change of settings", () => {
  it("stores only what differs from the current settings", () => {
    given()
      .when(change({ ...DEFAULT_SETTINGS, debugMode: true }))
      .gives(changed({ debug_mode: true }));
    given(changed({ debug_mode: true }))
      .when(change({ debugMode: true }))
      .gives();
    given(changed({ debug_mode: true }))
      .when(change({ debugMode: false }))
      .gives(changed({ debug_mode: false }));
    given().when(change(DEFAULT_SETTINGS)).gives();
  });

  it("stores the maintenance message in the sealed part", () => {
    const content = { maintenance_message: "Back at noon" };
    const message = { maintenanceMode: true, maintenanceMessage: "Back at noon" };
    given()
      .when(change(message))
      .gives(changed({ maintenance_mode: true, content }));
    given(changed({ content }))
      .when(change({ maintenanceMessage: "" }))
      .gives(changed({ content: { maintenance_message: "" } }));
  });

  it("stores an end in UTC, and refuses one that is past, too far off or invalid", () => {
    given()
      .when(change({ maintenanceUntil: "2026-11-24T13:00:00+02:00" }))
      .gives(changed({ maintenance_until: "2026-11-24T11:00:00.000Z" }));
    for (const maintenanceUntil of ["2026-11-24T10:00:00Z", "2027-01-01T00:00:00Z", "soon"])
      expect(problems([], { maintenanceUntil })).toEqual([
        "invalid_request",
        { maintenanceUntil: expect.any(String) },
      ]);
    // An end that has since passed may stay when something else is changed.
    const past = changed({ maintenance_until: "2026-11-24T09:00:00.000Z" });
    given(past)
      .when(change({ maintenanceUntil: "2026-11-24T09:00:00.000Z", debugMode: true }))
      .gives(changed({ debug_mode: true }));
  });

  it("refuses a number out of bounds, and accepts both bounds", () => {
    const sentence = "Max File Size must be a whole number from 1 to 10 MB";
    for (const maxFileSize of [0, 11, 2.5, Number.NaN])
      expect(problems([], { maxFileSize })).toEqual(["invalid_request", { maxFileSize: sentence }]);
    for (const maxFileSize of [1, 9])
      given()
        .when(change({ maxFileSize }))
        .gives(changed({ max_file_size: maxFileSize }));
    for (const sessionTimeout of [4, 1441, 5.5])
      expect(problems([], { sessionTimeout })[0]).toBe("invalid_request");
    for (const sessionTimeout of [5, 1440])
      given()
        .when(change({ sessionTimeout }))
        .gives(changed({ session_timeout: sessionTimeout }));
    // Another version may have stored more than this one supports.
    expect(settingsAt(given(changed({ session_timeout: 1 })).state, 0).sessionTimeout).toBe(5);
    expect(settingsAt(given(changed({ max_file_size: 50 })).state, 0).maxFileSize).toBe(10);
  });

  it("refuses a message that is too long", () => {
    expect(problems([], { maintenanceMessage: "x".repeat(301) })).toEqual([
      "invalid_request",
      { maintenanceMessage: "Message on the banner must have at most 300 characters" },
    ]);
  });
});

describe("limits on reading and searching", () => {
  it("are off for one hour, which cannot be extended, and then turn back on", () => {
    given()
      .when(change({ rateLimitEnabled: false }))
      .gives(LIMITS_OFF);
    given(LIMITS_OFF)
      .when(change({ rateLimitEnabled: false }))
      .gives();
    const state = given(LIMITS_OFF).state;
    const enabledAt = (time: string) => settingsAt(state, Date.parse(time)).rateLimitEnabled;
    expect(["2026-11-24T10:59:59Z", "2026-11-24T11:00:00Z"].map(enabledAt)).toEqual([false, true]);
  });

  it("can be turned off again after the hour, and on before it ends", () => {
    at("2026-11-24T12:00:00.000Z")(LIMITS_OFF)
      .when(change({ rateLimitEnabled: false }))
      .gives(
        changed({
          rate_limit_enabled: false,
          rate_limit_off_until: "2026-11-24T13:00:00.000Z",
        }),
      );
    given(LIMITS_OFF)
      .when(change({ rateLimitEnabled: true }))
      .gives(changed({ rate_limit_enabled: true }));
  });
});

describe("concurrent changes", () => {
  it("report to the second what changed, and overwrite nothing", () => {
    const first = changed({ debug_mode: true });
    const second = changed({ email_notifications: false });
    expect(problems([first, second], { debugMode: false }, 0)).toEqual([
      "settings_changed",
      { emailNotifications: "Email Notifications was changed in the meantime: off" },
    ]);
    expect(problems([first], { emailNotifications: false }, -1)).toEqual([
      "settings_changed",
      { debugMode: "Debug Mode was changed in the meantime: on" },
    ]);
    expect(problems([], { debugMode: true }, 0)?.[0]).toBe("settings_changed");
  });

  it("apply to the revision that was seen, or to the current one if none is given", () => {
    const first = changed({ debug_mode: true });
    for (const seen of [0, undefined])
      given(first)
        .when(change({ debugMode: false }, seen))
        .gives(changed({ debug_mode: false }));
  });
});

describe("the catalogue", () => {
  it("contains only settings that the log can store", () => {
    const stored = [
      ...Object.keys(SettingsChanged.clear.properties),
      ...Object.keys(SettingsChanged.parts.content.properties),
    ];
    for (const name of SETTING_NAMES) expect(stored).toContain(storedName(name));
  });

  it("has defaults within its own bounds", () => {
    for (const name of SETTING_NAMES) {
      const row = settingRow(name);
      if (row.kind !== "whole" || row.orNone) continue;
      expect(row.default).toBeGreaterThanOrEqual(row.least);
      expect(row.default).toBeLessThanOrEqual(row.most);
    }
    expect(settingsAt(undefined, 0)).toEqual(DEFAULT_SETTINGS);
  });

  it("groups settings only under existing ones", () => {
    for (const name of SETTING_NAMES) {
      const { of } = settingRow(name);
      if (of !== undefined) expect(Object.keys(SETTINGS)).toContain(of);
    }
  });

  it("reads a message whose key is destroyed as empty", () => {
    const state = given(changed({ content: { maintenance_message: "Back" } }), {
      type: "SettingsChanged",
      data: { content: null },
    }).state;
    expect(settingsAt(state, 0).maintenanceMessage).toBe("");
  });
});

describe("the settings of the Settings page", () => {
  const told = ADMINS;

  it("are stored with the admins to notify if they affect access or retention", () => {
    given()
      .when(change({ backupTime: "03:30", backupKeep: 14 }))
      .gives(changed({ backup_time: "03:30", backup_keep: 14, told }));
    given()
      .when(change({ staffSecondFactor: "on" }))
      .gives(changed({ staff_second_factor: "on", told }));
    given()
      .when(change({ keepRejectedReports: 90 }))
      .gives(changed({ keep_rejected_reports: 90, told }));
    given()
      .when(change({ rejectReasonsOff: ["duplicate"] }))
      .gives(changed({ reject_reasons_off: ["duplicate"] }));
    given()
      .when({ ...change({ backupKeep: 14 }), admins: [] })
      .gives(changed({ backup_keep: 14 }));
  });

  it("stores addresses in the sealed part", () => {
    given()
      .when(change({ supportEmail: "help@shop.example", salesEmail: "sell@shop.example" }))
      .gives(
        changed({
          told,
          content: { support_email: "help@shop.example", sales_email: "sell@shop.example" },
        }),
      );
    const set = changed({ content: { support_email: "help@shop.example" } });
    given(set)
      .when(change({ supportEmail: "" }))
      .gives(changed({ told, content: { support_email: "" } }));
    // Setting an address does not affect the maintenance message.
    const both = [changed({ content: { maintenance_message: "Noon" } }), set];
    expect(settingsAt(both.reduce<State>(evolveSettings, undefined), 0)).toMatchObject({
      maintenanceMessage: "Noon",
      supportEmail: "help@shop.example",
    });
  });

  it("accepts codes in any order, removes duplicates, and stores nothing if they are the same", () => {
    const off = ["no_evidence", "duplicate"];
    given()
      .when(change({ rejectReasonsOff: ["duplicate", "no_evidence", "duplicate"] }))
      .gives(changed({ reject_reasons_off: off }));
    given(changed({ reject_reasons_off: off }))
      .when(change({ rejectReasonsOff: ["duplicate", "no_evidence"] }))
      .gives();
  });

  it.each<[Partial<SettingValues>, string]>([
    [{ backupTime: "24:00" }, "must be hours and minutes as in 02:00, or empty"],
    [{ backupTime: "2:00" }, "must be hours and minutes as in 02:00, or empty"],
    [{ backupKeep: 1 }, "must be a whole number from 2 to 365 days, or empty"],
    [{ backupKeep: 366 }, "must be a whole number from 2 to 365 days, or empty"],
    [{ staffSecondFactor: "maybe" }, "must be one of installed, on, off"],
    [{ staffSecondFactor: "constructor" }, "must be one of installed, on, off"],
    [{ supportEmail: "nobody" }, "must be an email address, or empty"],
    [{ salesEmail: "a@b.example>, <c@d.example" }, "must be an email address, or empty"],
    // The reason with free text is always offered.
    [{ rejectReasonsOff: ["other"] }, "must be among no_evidence,"],
    [{ keepUnconfirmedReports: 6 }, "must be a whole number from 7 to 30 days"],
    // No one may keep data longer than people were promised.
    [{ keepUnconfirmedReports: 31 }, "must be a whole number from 7 to 30 days"],
    [{ keepUnconfirmedAccounts: 31 }, "must be a whole number from 7 to 30 days"],
    [{ keepRejectedReports: 366 }, "must be a whole number from 90 to 365 days"],
    [{ keepInquiries: 179 }, "must be a whole number from 180 to 730 days"],
    [{ keepSecurityEvents: 91 }, "must be a whole number from 30 to 90 days"],
  ])("refuses %j", (changes, sentence) => {
    const [code, fields] = problems([], changes) ?? [];
    const [name = ""] = Object.keys(changes);
    expect(code).toBe("invalid_request");
    expect(fields).toEqual({ [name]: expect.stringContaining(sentence) });
  });

  it("clamps what another version stored to its own bounds", () => {
    const state = [
      changed({
        keep_inquiries: 9999,
        backup_keep: 1,
        staff_second_factor: "passkeys",
        reject_reasons_off: ["too_short", "duplicate", "other"],
      }),
    ].reduce<State>(evolveSettings, undefined);
    expect(settingsAt(state, 0)).toMatchObject({
      keepInquiries: 730,
      backupKeep: 2,
      staffSecondFactor: "installed",
      rejectReasonsOff: ["duplicate"],
    });
  });
});
