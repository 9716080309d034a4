import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { BulkBody, type Job, type JobLine } from "#contracts/http/jobs.ts";
import {
  BULK_ACTIONS,
  type BulkActionName,
  lineText,
  ownReportsText,
  resultSentence,
} from "./labels.ts";

const names = Object.keys(BULK_ACTIONS) as BulkActionName[];
const selected = (...statuses: ("approved" | "pending")[]) =>
  statuses.map((status, n) => ({ id: `${n}`, revision: 0, name: "Ann Lee", status }));

describe("bulk actions", () => {
  it.each(names)("match the contract: %s", (name) => {
    const { command, asksReason } = BULK_ACTIONS[name];
    const reports = [{ id: "11111111-1111-4111-8111-111111111111", revision: 0 }];
    const body = { ...command, ...(asksReason ? { reason_code: "abusive" } : {}), reports };
    expect(Check(BulkBody, body)).toBe(true);
  });

  it("say how many published reports will be removed from the site", () => {
    const { consequence } = BULK_ACTIONS.reject;
    expect(consequence(selected("pending"))).not.toMatch(/removed/);
    expect(consequence(selected("approved", "pending"))).toMatch(
      /^1 published report will be removed/,
    );
    expect(consequence(selected("approved", "approved"))).toMatch(
      /^2 published reports will be removed/,
    );
  });

  it.each(names)("describe the consequence for a single report in the singular: %s", (name) => {
    const { consequence } = BULK_ACTIONS[name];
    expect(consequence(selected("pending"))).toMatch(/^(The report|It)\b/);
    expect(consequence(selected("pending", "pending"))).toMatch(/^(These|None of them|They)\b/);
  });
});

describe("ownWords", () => {
  it("counts the reports that concern the moderator, and is undefined if there are none", () => {
    const [first, second, third] = selected("pending", "pending", "approved");
    expect(ownReportsText([first, second] as never)).toBeUndefined();
    const own = (report: object | undefined) => ({ ...report, own: true }) as never;
    expect(ownReportsText([own(first), second] as never)).toMatch(
      /^1 of these reports is your own/,
    );
    expect(ownReportsText([own(first), own(second), third] as never)).toMatch(
      /^2 of these reports are/,
    );
  });
});

describe("the result of a bulk action", () => {
  const counts = { done: 2, conflict: 1, refused: 0, gone: 0, failed: 0 };
  const job = (more: Partial<Job>): Job => ({
    id: "",
    kind: "bulk",
    account_id: "",
    created_at: "",
    state: "done",
    done: 3,
    total: 3,
    counts,
    lines: [],
    ...more,
  });

  it.each([
    [{}, "2 reports changed, 1 left as it was."],
    [{ done: 2, total: 2, counts: { ...counts, conflict: 0 } }, "2 reports changed."],
    [{ counts: { ...counts, done: 1 } }, "1 report changed, 2 left as they were."],
    [
      { state: "stopped", total: 10 },
      "Stopped: 2 reports changed, 1 left as it was, 7 not started.",
    ],
    [
      { state: "failed", total: 10, error: { code: "forbidden", message: "You may not." } },
      "Ended early: 2 reports changed, 1 left as it was, 7 not started. You may not.",
    ],
  ] satisfies [Partial<Job>, string][])("describes %o as: %s", (more, sentence) => {
    expect(resultSentence(job(more))).toBe(sentence);
  });

  it("explains why a report was not changed", () => {
    const line = (more: Partial<JobLine>): JobLine => ({
      number: 1,
      at: "",
      outcome: "refused",
      ...more,
    });
    expect(lineText(line({ message: "The report is approved already" }))).toBe(
      "The report is approved already",
    );
    expect(lineText(line({ outcome: "conflict", message: "x" }))).toBe("Changed by someone else");
    expect(lineText(line({ outcome: "done" }))).toBe("");
  });
});
