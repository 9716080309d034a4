import { expect, it } from "vitest";
import { againstPromise, stepText } from "./labels.ts";

const answer_by = "2026-11-23T12:00:00.000Z";
const at = (time: string) => Date.parse(`2026-11-${time}:00.000Z`);

it("shows how much of the promised time is left, or how late it is", () => {
  const said = (time: string) => againstPromise({ answer_by }, at(time));
  expect(said("22T12:00")).toEqual({ text: "24 hours left", isLate: false });
  expect(said("23T10:59")).toEqual({ text: "1 hour left", isLate: false });
  expect(said("23T11:59")).toEqual({ text: "less than an hour left", isLate: false });
  expect(said("23T12:01")).toEqual({ text: "less than an hour late", isLate: true });
  expect(said("24T14:30")).toEqual({ text: "26 hours late", isLate: true });
});

it("shows whether an answered inquiry was answered in time, whatever the current time", () => {
  const now = at("30T00:00");
  const said = (answered_at: string) => againstPromise({ answer_by, answered_at }, now);
  expect(said(answer_by)).toEqual({ text: "Answered in time", isLate: false });
  expect(said("2026-11-23T12:00:00.001Z")).toEqual({ text: "Answered late", isLate: false });
});

it("describes each step", () => {
  const by = { at: answer_by, revision: 1 };
  expect(stepText({ ...by, type: "status", to: "in_work" })).toBe("Status: In progress");
  expect(stepText({ ...by, type: "answered" })).toBe("Answered by email");
  expect(stepText({ ...by, type: "replied" })).toBe("The sender replied");
  expect(stepText({ ...by, type: "disclosed", report_number: "R-1" })).toBe(
    "Report R-1 viewed for this request",
  );
});
