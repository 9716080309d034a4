import { describe, expect, it } from "vitest";
import { ApiError, sentenceOf } from "./client.ts";

describe("the words of the account settings", () => {
  it("are the server's where it gave a sentence, and hide no fault of the page", () => {
    const refusal = new ApiError(404, { explanation: "There is no such session." });
    expect(sentenceOf(refusal, "Try again.")).toBe("There is no such session.");
    expect(sentenceOf(new ApiError(0), "Try again.")).toBe("Try again.");
    expect(() => sentenceOf(new TypeError("oops"), "Try again.")).toThrow("oops");
  });
});
