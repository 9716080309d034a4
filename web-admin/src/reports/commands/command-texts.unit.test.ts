import { describe, expect, it } from "vitest";
import { ApiError, fetchFailureText, loadFailureText } from "../../data/api-error.ts";
import { doneText, failureText } from "./command-texts.ts";
import { EDIT, NOTE, PAGE_COMMANDS, ROW_COMMANDS } from "./report-commands.ts";

describe("what the console says about a command that is done", () => {
  it("is the contract's sentence, or one of its own", () => {
    const words = [...Object.values(PAGE_COMMANDS), ...Object.values(ROW_COMMANDS), EDIT, NOTE];
    expect(words.map(doneText)).toEqual([
      "Report approved",
      "Report rejected",
      "Report put under review",
      "Report set back to pending",
      "Question sent",
      "Question withdrawn",
      "Private text masked",
      "Email verified manually",
      "Report deleted successfully",
      "Report approved via emergency action",
      "Report deleted successfully",
      "Email verified manually",
      "Report updated successfully",
      "Note saved",
    ]);
  });
});

describe("what the console says about a failure", () => {
  it("is the server's sentence, or else a generic failure", () => {
    const refused = new ApiError(409, "The report is approved already");
    expect(failureText(ROW_COMMANDS.approve, refused)).toBe(
      "Emergency approval error: The report is approved already",
    );
    expect(failureText(ROW_COMMANDS.delete, new ApiError(500, ""))).toBe(
      "Emergency deletion failed",
    );
    expect(failureText(ROW_COMMANDS.verify, "?")).toBe("Manual verification failed");
    expect(failureText(EDIT, refused)).toBe("Edit error: The report is approved already");
    expect(failureText(PAGE_COMMANDS.reject, new ApiError(500, ""))).toBe(
      "Failed to reject report",
    );
  });

  it("is worded by the specification where the console fetches its figures and lists", () => {
    const texts = [
      new ApiError(429, "Too many"),
      new ApiError(502, ""),
      new ApiError(0, ""),
      "?",
    ].map((error) => fetchFailureText("audit logs", error));
    expect(texts).toEqual([
      "Failed to fetch audit logs: Too many",
      "Failed to fetch audit logs: 502",
      "Failed to fetch audit logs: Unknown error occurred",
      "Failed to fetch audit logs: Unknown error occurred",
    ]);
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
