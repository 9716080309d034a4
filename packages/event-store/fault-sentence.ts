import type { LogFault } from "./audit-verify.ts";

const REASONS = {
  wrong_hash: "its content or its place in the chain was changed",
  wrong_revision: "an event before it is missing, or one was put in between",
  wrong_position: "it stands out of order in the log",
  missing_position: "events before it are missing from the log",
} as const satisfies Record<LogFault["reason"], string>;

/** What is wrong with the log, for operators and admins. It holds ids only. */
export function faultSentence({ id, stream, revision, position, reason }: LogFault): string {
  return `The log does not verify at event ${id} (stream ${stream}, revision ${revision}, position ${position}): ${REASONS[reason]}.`;
}
