import { messageOf } from "../../data/api-error.ts";

/** What a screen says after a command succeeded or failed. */
export interface CommandTexts {
  readonly done: string;
  /** For a failure without a sentence of the server. */
  readonly failed: string;
  /** For a failure with one. */
  readonly error: (message: string) => string;
}

/** Commands in a row of the reports list. */
export const rowTexts = {
  approve: {
    done: "Report approved via emergency action",
    failed: "Emergency approval failed",
    error: (message) => `Emergency approval error: ${message}`,
  },
  delete: {
    done: "Report deleted successfully",
    failed: "Emergency deletion failed",
    error: (message) => `Emergency deletion error: ${message}`,
  },
  verify: {
    done: "Email verified manually",
    failed: "Manual verification failed",
    error: (message) => `Manual verification error: ${message}`,
  },
} as const satisfies Record<string, CommandTexts>;

const failure = (failed: string) => ({
  failed,
  error: (message: string) => `${failed}: ${message}`,
});

/** Commands on a report's page. */
export const pageTexts = {
  approve: { done: "Report approved", ...failure("Failed to approve report") },
  reject: { done: "Report rejected", ...failure("Failed to reject report") },
  review: { done: "Report put under review", ...failure("Failed to update report") },
  reopen: { done: "Report set back to pending", ...failure("Failed to update report") },
  verify: rowTexts.verify,
  delete: { done: "Report deleted successfully", ...failure("Failed to delete report") },
  edit: {
    done: "Report updated successfully",
    failed: "Failed to update report",
    error: (message) => `Edit error: ${message}`,
  },
} as const satisfies Record<string, CommandTexts>;

/** The sentence for a failed command. */
export function failureText(texts: CommandTexts, error: unknown): string {
  const message = messageOf(error, "");
  return message ? texts.error(message) : texts.failed;
}
