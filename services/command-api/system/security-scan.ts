import type { Logger } from "pino";
import { type NewJobLine, RunOver } from "../jobs/job-kind.ts";
import type { ScanCheck } from "./scan/scan-check.ts";
import { type SystemAction, unlessStopped } from "./system-action.ts";

/**
 * Looks at what makes a registry less safe than it could be. Each check is a line of the job; what is found
 * and what to do about it is in the line, and only the number of findings is in the log.
 */
export function securityScan(
  checks: readonly ScanCheck[],
  { log }: { readonly log: Pick<Logger, "warn"> },
): SystemAction {
  return {
    name: "security-scan",
    // It takes seconds, and half a scan says nothing.
    whenInterrupted: "fail",
    async run(run) {
      await run.total(checks.length);
      let findings = 0;
      for (const check of checks) {
        const line = await unlessStopped(lineOf(check, log), run.signal);
        await run.line({ target: check.code, ...line });
        if (line.outcome === "refused") findings += 1;
      }
      return findings;
    },
  };
}

async function lineOf(
  { code, fine, find }: ScanCheck,
  log: Pick<Logger, "warn">,
): Promise<Omit<NewJobLine, "target">> {
  try {
    const found = await find();
    return found === undefined
      ? { outcome: "done", message: fine }
      : { outcome: "refused", code, message: found };
  } catch (error) {
    if (error instanceof RunOver) throw error;
    log.warn({ err: error, check: code }, "a check of the security scan failed");
    return { outcome: "failed", code: "unavailable", message: `${code} could not be checked.` };
  }
}
