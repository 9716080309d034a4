import { describe, expect, it } from "vitest";
import { ApiError, loadFailureText } from "../../data/api-error.ts";
import { failureText, pageTexts, rowTexts } from "./command-texts.ts";

describe("what the console says about a failure", () => {
  it("is the server's sentence, or else a generic failure", () => {
    const refused = new ApiError(409, "The report is approved already");
    expect(failureText(rowTexts.approve, refused)).toBe(
      "Emergency approval error: The report is approved already",
    );
    expect(failureText(rowTexts.delete, new ApiError(500, ""))).toBe("Emergency deletion failed");
    expect(failureText(rowTexts.verify, "?")).toBe("Manual verification failed");
    expect(failureText(pageTexts.edit, refused)).toBe("Edit error: The report is approved already");
    expect(failureText(pageTexts.reject, new ApiError(500, ""))).toBe("Failed to reject report");
  });

  it("distinguishes a lost network from a refusal", () => {
    expect(loadFailureText("reports", new ApiError(0, "Connection failed"))).toBe(
      "Network error: Connection failed",
    );
    expect(loadFailureText("reports", new ApiError(0, ""))).toBe(
      "Network error: Connection failed",
    );
    expect(loadFailureText("reports", new ApiError(500, ""))).toBe(
      "Failed to load reports: Unknown error",
    );
    expect(loadFailureText("audit logs", new ApiError(429, "Too many"))).toBe(
      "Failed to load audit logs: Too many",
    );
  });
});
