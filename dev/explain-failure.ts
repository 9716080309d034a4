import { describeError } from "#kit/log.ts";
import { Refusal } from "./refusal.ts";

/**
 * Why the system does not start or go on, for the terminal: one sentence where the cause is known,
 * a stack where it is not.
 */
export function explainFailure(error: unknown): string {
  // An error while cleaning up stands in front of the one that led there.
  if (error instanceof SuppressedError) return explainFailure(error.suppressed);
  if (error instanceof Refusal) return error.message;
  const { name, message } = (error instanceof Error ? error : {}) as Partial<Error>;
  switch (name) {
    case "ConfigInvalid":
      return String(message);
    case "WrongMasterKey":
      return `The data cannot be opened: ${message}.`;
    case "SchemaMismatch":
      return `The database was written by a newer version of this program: use that version (${message}).`;
  }
  // The kit's description leaves out messages that may repeat what somebody entered.
  const described = describeError(error);
  const what = [described.type, described.code, described.message].filter(Boolean).join(": ");
  return `The registry failed: ${what}\n${described.stack ?? ""}`;
}
