import { describe, expect, it } from "vitest";
import { NOT_CONFIRMED } from "#contracts/report/reporter-rules.ts";
import { reporterNotes, verifiedText } from "./labels.ts";

const open = { status: "pending", verified: true } as const;
const unconfirmed = { ...open, verified: false };

describe("notices about the reporter before a decision", () => {
  it("are absent if the address is confirmed and a question can be sent", () => {
    expect(reporterNotes(open)).toEqual({});
  });

  it("warn only once about an unconfirmed address, with all consequences", () => {
    expect(reporterNotes({ ...unconfirmed, not_askable: NOT_CONFIRMED })).toEqual({
      unconfirmed:
        "The reporter hasn't confirmed their email. You can't send a question, and if you approve the report, the history will say it was unconfirmed.",
    });
  });

  it("give any other reason why no question can be sent", () => {
    expect(reporterNotes({ ...unconfirmed, not_askable: "The reporter is erased" })).toEqual({
      noQuestion: "No question can be sent. The reporter is erased.",
      unconfirmed:
        "The reporter hasn't confirmed their email. If you approve the report, the history will say it was unconfirmed.",
    });
  });

  it("explain why no question can be sent if a moderator vouched for the address", () => {
    expect(reporterNotes({ ...open, not_askable: NOT_CONFIRMED })).toEqual({
      noQuestion:
        "No question can be sent. The reporter hasn't confirmed the address with the link.",
    });
  });

  it("say nothing about questions while one awaits an answer", () => {
    const waits = {
      not_askable: "Another question is awaiting an answer",
      asked_until: "2026-11-28",
    };
    expect(reporterNotes({ ...open, ...waits })).toEqual({});
    expect(Object.keys(reporterNotes({ ...unconfirmed, ...waits }))).toEqual(["unconfirmed"]);
  });

  it.each([
    ["decided", { status: "approved" }],
    ["held by a notice", { held: true }],
  ] as const)("are absent for a report that is %s", (_, facts) => {
    expect(reporterNotes({ ...unconfirmed, not_askable: NOT_CONFIRMED, ...facts })).toEqual({});
  });
});

it("shows that staff verified an address that its owner has not confirmed", () => {
  expect(verifiedText({ verified: true, not_askable: NOT_CONFIRMED })).toBe(
    "Email verified by staff",
  );
  expect(verifiedText({ verified: true })).toBe("Email verified");
  expect(verifiedText({ verified: false, not_askable: NOT_CONFIRMED })).toBe("Email not verified");
});
