import { describe, expect, it } from "vitest";
import { maskBody } from "./mask-body.ts";

const report = {
  revision: 4,
  first_name: "Quinn",
  title: "Charged back",
  chargebacks: [{ notes: "Pays with 4111 1111 1111 1111" }],
};

describe("what the console asks to be masked", () => {
  it("is the selected text, at its place in a text", () => {
    expect(maskBody(report, " 4111 1111 1111 1111 ")).toEqual({
      revision: 4,
      places: [{ field: "chargebacks.0.notes", start: 10, end: 29 }],
    });
  });

  it.each([
    ["Rae Holt first", "moderator_notes.1.note", 4],
    ["Rae Holt of Reno", "questions.0.answer", 3],
    ["Holt, again", "rejection_reason", 5],
    ["Holt's letter", "resolution.refusal", 0],
  ])("is a place around the report too: %s", (selected, field, start) => {
    const around = {
      ...report,
      moderator_notes: [{ note: "None" }, { note: "Ask Rae Holt first" }],
      questions: [{ question: "Who?", answer: "By Rae Holt of Reno" }],
      rejection_reason: "Says Holt, again",
      resolution: { refusal: "Holt's letter" },
    };
    const { places } = maskBody(around, selected);
    expect(places).toEqual([{ field, start, end: start + selected.length }]);
  });

  it.each(["", "11", "Quinn", "Not there"])(
    "is all that looks private where nothing of a text is selected: %j",
    (selected) => {
      expect(maskBody(report, selected)).toEqual({ revision: 4 });
    },
  );
});
