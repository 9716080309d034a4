import { describe, expect, it } from "vitest";
import { clockText, noticeStepText } from "./labels.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-23T15:00:00.000Z");
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

describe("the deadline of a notice", () => {
  it.each([
    [{ due_at: at(47.5) }, "47 hours left", false],
    [{ due_at: at(0.5) }, "less than an hour left", false],
    [{ due_at: at(-1) }, "1 hour late", true],
    [{ due_at: at(-100) }, "4 days late", true],
    [{ due_at: at(-1), decided_at: at(-2) }, "Decided in time", false],
    [{ due_at: at(-2), decided_at: at(-1) }, "Decided late", false],
  ])("%o", (facts, text, isLate) => {
    expect(clockText({ status: "in_work", ...facts }, NOW)).toEqual({ text, isLate });
  });

  it("shows when the material of a counter-notice may be restored, then when it must be", () => {
    const facts = { status: "passed_on", due_at: at(500), not_before: at(340) } as const;
    expect(clockText(facts, NOW).text).toBe("Can be restored in 14 days");
    expect(clockText(facts, NOW + 341 * HOUR).text).toBe("6 days left");
    expect(clockText(facts, NOW + 501 * HOUR)).toEqual({ text: "1 hour late", isLate: true });
  });
});

it.each([
  [{ type: "refused", reason_code: "not_owner" }, "Refused: not the owner"],
  [{ type: "refused", reason_code: "of_later" }, "Refused: other"],
  [{ type: "lifted", reason_code: "withdrawn" }, /the sender withdrew/],
  [{ type: "lifted", reason_code: "counter_notice" }, /a counter-notice/],
  [{ type: "linked", target: { report_id: "a", report_number: "R-1" } }, "Linked to report R-1"],
] as const)("describes the step of a notice %o", (step, text) => {
  const said = noticeStepText({ revision: 1, at: at(0), ...step });
  if (typeof text === "string") expect(said).toBe(text);
  else expect(said).toMatch(text);
});
