import { describe, expect, it } from "vitest";
import { NOT_CONFIRMED } from "#contracts/report/reporter-rules.ts";
import { reporterWords, verifiedWords } from "./labels.ts";

const open = { status: "pending", verified: true } as const;
const unconfirmed = { ...open, verified: false };

describe("what is said of the reporter before a decision", () => {
  it("is nothing where the address is confirmed and a question can be sent", () => {
    expect(reporterWords(open)).toEqual({});
  });

  it("says once that the address is not confirmed, with all that follows", () => {
    expect(reporterWords({ ...unconfirmed, not_askable: NOT_CONFIRMED })).toEqual({
      unconfirmed:
        "The reporter hasn't confirmed their email. You can't send a question, and if you approve the report, the history will say it was unconfirmed.",
    });
  });

  it("names any other reason for which no question can be sent", () => {
    expect(reporterWords({ ...unconfirmed, not_askable: "The reporter is erased" })).toEqual({
      noQuestion: "No question can be sent. The reporter is erased.",
      unconfirmed:
        "The reporter hasn't confirmed their email. If you approve the report, the history will say it was unconfirmed.",
    });
  });

  it("says why no question can be sent where a moderator vouched for the address", () => {
    expect(reporterWords({ ...open, not_askable: NOT_CONFIRMED })).toEqual({
      noQuestion:
        "No question can be sent. The reporter hasn't confirmed the address with the link.",
    });
  });

  it("leaves questions out while one waits for its answer", () => {
    const waits = {
      not_askable: "Another question is awaiting an answer",
      asked_until: "2026-11-28",
    };
    expect(reporterWords({ ...open, ...waits })).toEqual({});
    expect(Object.keys(reporterWords({ ...unconfirmed, ...waits }))).toEqual(["unconfirmed"]);
  });

  it.each([
    ["decided", { status: "approved" }],
    ["held by a notice", { held: true }],
  ] as const)("is nothing of a report that is %s", (_, facts) => {
    expect(reporterWords({ ...unconfirmed, not_askable: NOT_CONFIRMED, ...facts })).toEqual({});
  });
});

it("says that an address is verified by staff where its owner has not confirmed it", () => {
  expect(verifiedWords({ verified: true, not_askable: NOT_CONFIRMED })).toBe(
    "Email verified by staff",
  );
  expect(verifiedWords({ verified: true })).toBe("Email verified");
  expect(verifiedWords({ verified: false, not_askable: NOT_CONFIRMED })).toBe("Email not verified");
});
