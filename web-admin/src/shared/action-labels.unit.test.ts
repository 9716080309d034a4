import { expect, it } from "vitest";
import { actionText } from "./action-labels.ts";

it.each([
  ["SubmitReport", "Submit report"],
  ["ApproveReport", "Approve report"],
  ["RejectReport", "Reject report"],
  ["SetReportStatus", "Set report's status"],
  ["VerifyReportByHand", "Verify email manually"],
  ["EditReport", "Edit report"],
  ["DeleteReport", "Delete report"],
  ["SignOutEverywhere", "Sign out everywhere"],
  ["PublishReport", "Publish report"],
])("the audit log labels %s: %s", (type, words) => {
  expect(actionText(type)).toBe(words);
});
