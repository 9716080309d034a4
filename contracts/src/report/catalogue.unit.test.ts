import { describe, expect, it } from "vitest";
import { clearFields, personalFields, reporterFields } from "../events/report/stored-report.ts";
import type { FieldRow } from "./catalogue.ts";
import { CHARGEBACK_ROWS, REPORT_FIELDS, REPORT_ROWS } from "./derive/fields.ts";
import { FIELD_MASKS, visibility } from "./derive/visibility.ts";

function storedNames(rows: Readonly<Record<string, FieldRow>>, part: FieldRow["part"]): string[] {
  return Object.entries(rows)
    .filter(([, row]) => row.part === part)
    .map(([name, { kind }]) => (kind === "money" ? `${name}_cents` : name));
}
const keys = (properties: object) => Object.keys(properties).toSorted();

describe("the catalogue of fields", () => {
  it("names the part in which events store each field", () => {
    expect(keys(clearFields)).toEqual(
      [...storedNames(REPORT_ROWS, "clear"), "chargebacks"].toSorted(),
    );
    expect(keys(personalFields)).toEqual(
      [...storedNames(REPORT_ROWS, "personal"), "chargebacks"].toSorted(),
    );
    expect(keys(reporterFields)).toEqual(storedNames(REPORT_ROWS, "reporter").toSorted());
    const { chargebacks: clear } = clearFields;
    const { chargebacks: personal } = personalFields;
    expect(keys(clear.items.properties)).toEqual(storedNames(CHARGEBACK_ROWS, "clear").toSorted());
    expect(keys(personal.items.properties)).toEqual(
      storedNames(CHARGEBACK_ROWS, "personal").toSorted(),
    );
  });

  it("names where replies show each visible field, and no other", () => {
    const ofOneKind = ["report_type", "chargebacks"];
    for (const field of REPORT_FIELDS.filter((name) => !ofOneKind.includes(name))) {
      const { shown, view } = REPORT_ROWS[field];
      expect([field, view !== undefined]).toEqual([field, shown !== "kept"]);
      expect([field, view?.[0] === "staff"]).toEqual([field, shown === "staff"]);
    }
  });

  it("has a mask for exactly the fields that some audience sees masked", () => {
    const masked = Object.entries(visibility)
      .filter(([, row]) => Object.values(row).includes("masked"))
      .map(([field]) => field);
    expect(Object.keys(FIELD_MASKS)).toEqual(masked);
  });

  it("keeps no free text in the clear, where it would outlive an erasure", () => {
    const texts = ["line", "prose", "phone", "email", "ip_addresses", "digits", "state"];
    const clear = [...Object.entries(REPORT_ROWS), ...Object.entries(CHARGEBACK_ROWS)].filter(
      ([, { part }]) => part === "clear",
    );
    expect(clear.filter(([, { kind }]) => texts.includes(kind))).toEqual([]);
    expect(clear.length).toBeGreaterThan(5);
  });

  it.each(["view", "record"] as const)("gives no place of the %s to two fields", (places) => {
    const taken = Object.values<FieldRow>(REPORT_ROWS).flatMap(
      (row) => row[places]?.join(" ") ?? [],
    );
    expect(taken.length).toBeGreaterThan(5);
    expect(new Set(taken).size).toBe(taken.length);
  });
});
