import { expect, it } from "vitest";
import { formatInstant } from "../shared/formats.ts";
import { chainText, detailsText, sealedText } from "./labels.ts";

it("describes what was exported, and why a request was refused", () => {
  expect(detailsText({ list: "users", format: "csv", rows: 1 })).toBe("Users as CSV, 1 row");
  expect(detailsText({ list: "audit", format: "json", rows: 12345 })).toBe(
    "Audit log as JSON, 12,345 rows",
  );
  expect(detailsText({ cause: "wrong_password" })).toBe("Wrong password");
  expect(detailsText({ cause: "idle" })).toBe("Ended after inactivity");
  expect(detailsText({ method: "GET", route: "/x/:id", code: "forbidden" })).toBe(
    "GET /x/:id, Forbidden",
  );
});

it("shows the new value of each changed setting", () => {
  expect(detailsText({ backup_keep: 14, keep_rejected_reports: 90, debug_mode: true })).toBe(
    "Debug Mode: on, Backups kept: 14 days, Rejected reports: 90 days",
  );
  expect(detailsText({ reject_reasons_off: "duplicate", staff_second_factor: "on" })).toBe(
    "Second factor for staff: required, Reasons for rejection: all but Duplicate",
  );
  const until = "2026-05-02T12:05:09.000Z";
  expect(detailsText({ maintenance_until: until })).toBe(`Expected end: ${formatInstant(until)}`);
  expect(detailsText({ maintenance_until: "" })).toBe("Expected end: none");
  expect(detailsText({ reject_reasons_off: "", backup_time: "" })).toBe(
    "Time of the daily backup (UTC): set by the operator, Reasons for rejection: all",
  );
});

it("spells out unknown codes", () => {
  expect(detailsText({ list: "some_list", format: "xml" })).toBe("Some list as XML");
  expect(detailsText({ cause: "new_cause" })).toBe("New cause");
});

it("shows whether an event is unchanged, and which parts are erased", () => {
  expect(chainText("fits")).toMatch(/is unchanged/);
  expect(chainText("wrong_hash")).toMatch(/was changed/);
  expect(chainText("wrong_revision")).toMatch(/missing/);
  const sealed = [
    { part: "personal", erased: true },
    { part: "reporter", erased: false },
  ];
  expect(sealedText(sealed)).toBe("Personal (erased), Reporter");
});
