import { describe, expect, it } from "vitest";
import { FIELD_LABELS } from "#contracts/report/derive/fields.ts";
import { CHARGEBACK_REASONS, CHECK_REASONS } from "#contracts/report/reasons.ts";
import {
  DELETION_REASONS,
  REPORT_STATUSES,
  RESOLUTION_STATUSES,
  SHIPPING_STATUSES,
} from "#contracts/report/words.ts";
import { resourceOf } from "../audit/labels.ts";
import { actionText } from "./action-labels.ts";
import { deletionReasonText, fieldInSentence, fieldLabel, roleText, valueText } from "./labels.ts";

describe("labels on the screen", () => {
  it("exist for every code of the contract", () => {
    const said = [
      ...Object.keys(CHARGEBACK_REASONS).map((code) => valueText("chargeback_reason", code)),
      ...Object.keys(CHECK_REASONS).map((code) => valueText("check_reason", code)),
      ...Object.keys(REPORT_STATUSES).map((code) => valueText("status", code)),
      ...Object.keys(RESOLUTION_STATUSES).map((code) => valueText("resolution_status", code)),
      ...Object.keys(SHIPPING_STATUSES).map((code) => valueText("shipping_status", code)),
      ...Object.keys(DELETION_REASONS).map(deletionReasonText),
      ...Object.keys(FIELD_LABELS).map(fieldLabel),
      valueText("status", "deleted"),
    ];
    for (const text of said) expect(text).toMatch(/^[A-Z][^_]*$/);
  });

  it("are about the reporter instead of addressing them", () => {
    for (const name of Object.keys(FIELD_LABELS)) expect(fieldLabel(name)).not.toMatch(/\byour\b/i);
    expect(fieldLabel("reporter_email")).toBe("Reporter's email");
  });

  it("keep abbreviations inside a sentence", () => {
    expect(["zip", "ip_address", "city"].map(fieldInSentence)).toEqual([
      "ZIP",
      "IP addresses",
      "city",
    ]);
  });

  it("format values for people", () => {
    expect(valueText("amount", 1234.5, "EUR")).toBe("€1,234.50");
    expect(valueText("check_date", "2026-05-02")).toBe("May 2, 2026");
    expect(valueText("verified", false)).toBe("No");
    expect(valueText("notes", undefined)).toBe("Not given");
    expect(valueText("title", "constructor")).toBe("constructor");
    expect(valueText("status", "constructor")).toBe("constructor");
    expect(roleText("admin")).toBe("Admin");
  });

  it("cover actions and streams of the audit log", () => {
    expect(actionText("ApproveReport")).toBe("Approve report");
    expect(actionText("MergeReports")).toBe("Merge reports");
    expect(resourceOf("report-1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed")).toEqual({
      text: "Report 1b9d6bcd",
      reportId: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
    });
    expect(resourceOf("user-5b0b7f3e-0000")).toEqual({ text: "Account 5b0b7f3e" });
    expect(resourceOf("log")).toEqual({ text: "Event log" });
  });
});
