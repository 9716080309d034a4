import { describe, expect, it } from "vitest";
import type { FullReport } from "#contracts/http/report-view.ts";
import type { ReportField } from "#contracts/report/catalogue.ts";
import {
  type Audience,
  chargebackVisibility,
  FIELD_MASKS,
  visibility,
} from "#contracts/report/derive/visibility.ts";
import { visibleReport } from "./visible-report.ts";

const CANARY = "canary0123456789";

/** A report in which every field's value differs from its mask. */
function canaryReport(): FullReport {
  const item = Object.fromEntries(
    Object.keys(chargebackVisibility).map((field) => [field, `${CANARY}-item-${field}`]),
  );
  const report = Object.fromEntries(
    Object.keys(visibility).map((field) => [field, `${CANARY}-${field}@mail.example`]),
  );
  return { ...report, chargebacks: [item] } as unknown as FullReport;
}

describe.each<Audience>(["public", "moderator", "reveal", "auditor", "owner"])(
  "for %s",
  (audience) => {
    const shown = visibleReport(canaryReport(), audience);

    it("every field is shown, masked or omitted as in the visibility table", () => {
      for (const [field, row] of Object.entries(visibility)) {
        const value = shown[field as ReportField];
        if (row[audience] === "hidden") expect(shown, field).not.toHaveProperty(field);
        else if (field === "chargebacks") expect(value).toHaveLength(1);
        else if (row[audience] === "clear") expect(value).toContain(`${CANARY}-${field}`);
        else {
          expect(value, field).toEqual(expect.any(String));
          expect(value, field).not.toContain(CANARY);
        }
      }
    });

    it("an additional chargeback omits what the table hides", () => {
      const [item] = shown.chargebacks as [Record<string, unknown>];
      const kept = Object.entries(chargebackVisibility).filter(
        ([, row]) => row[audience] === "clear",
      );
      expect(Object.keys(item).sort()).toEqual(kept.map(([field]) => field).sort());
    });
  },
);

it("there is a mask for every field that anyone sees masked", () => {
  const masked = Object.entries(visibility)
    .filter(([, row]) => Object.values(row).includes("masked"))
    .map(([field]) => field);
  expect(Object.keys(FIELD_MASKS).sort()).toEqual(masked.sort());
});

it("a masked value that is not text is omitted, never passed through", () => {
  const report = { email: 5 } as unknown as FullReport;
  expect(visibleReport(report, "public")).toEqual({});
});
