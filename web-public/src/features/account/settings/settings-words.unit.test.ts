import { describe, expect, it } from "vitest";
import { ApiError } from "../../../api/client.ts";
import { formatMoment, sentenceOf } from "./settings-words.ts";

describe("the words of the account settings", () => {
  it("tell a time with its zone", () => {
    expect(formatMoment("2026-05-02T14:05:00.000Z", "UTC")).toBe("2 May 2026, 14:05 UTC");
    expect(formatMoment("2026-05-02T00:05:00.000Z", "Europe/London")).toMatch(
      /^2 May 2026, 01:05 (BST|GMT\+1)$/,
    );
    expect(formatMoment("nothing")).toBe("Not known");
  });

  it("are the server's where it gave a sentence, and hide no fault of the page", () => {
    const refusal = new ApiError(404, { explanation: "There is no such session." });
    expect(sentenceOf(refusal, "Try again.")).toBe("There is no such session.");
    expect(sentenceOf(new ApiError(0), "Try again.")).toBe("Try again.");
    expect(() => sentenceOf(new TypeError("oops"), "Try again.")).toThrow("oops");
  });
});
