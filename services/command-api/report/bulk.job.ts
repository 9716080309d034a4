import type { Logger } from "pino";
import { DomainError } from "#contracts/domain-error.ts";
import { BULK, BulkBody, type JobOutcome } from "#contracts/http/jobs.ts";
import { type ModerationCommand, moderationCommand } from "#contracts/http/moderation.ts";
import type { LiveKey } from "#vault/keys/key-store.ts";
import { commandId } from "#vault/sealing/hashes.ts";
import { type JobKind, type JobRun, jobKind, type NewJobLine, RunOver } from "../jobs/job-kind.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import { bulkCommandBody } from "./bulk.routes.ts";
import type { ReportService } from "./report.service.ts";

/** Reports that are decided at the same time: beside a moderator's own commands it stays a guest. */
const AT_ONCE = 4;

interface Deps {
  readonly reports: Pick<ReportService, "execute" | "load">;
  /** Service key `commands`. */
  readonly commandKey: LiveKey;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Decides many reports. Each is a command of its own, whose id follows from the job and the report: a
 * process that goes on after another one died decides nothing twice.
 */
export function bulkKind(deps: Deps): JobKind {
  return jobKind({
    name: "bulk",
    input: BulkBody,
    whenInterrupted: "continue",
    async run(body, run) {
      const command = moderationCommand(body.command, bulkCommandBody(body) as never);
      const left = body.reports.filter(({ id }) => !run.finished.has(id)).values();
      const worker = async () => {
        for (const { id, revision } of left) {
          if (run.signal.aborted) return;
          await run.line({ target: id, ...(await decide(id, revision, command, run, deps)) });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    },
  });
}

/** Decides one report, and tells what became of it. */
async function decide(
  id: string,
  revision: number,
  command: ModerationCommand,
  run: JobRun,
  { reports, commandKey, log }: Deps,
): Promise<Omit<NewJobLine, "target">> {
  try {
    const envelope = envelopeOf(id, command, run, commandKey);
    const { position } = await reports.execute(id, command, envelope, revision);
    return { outcome: "done", position };
  } catch (error) {
    if (error instanceof RunOver) throw error;
    if (!(error instanceof DomainError)) {
      log.warn({ err: error }, "a report was not decided");
      return { outcome: "failed", code: "unavailable", message: "Please try again later." };
    }
    const { code, message, position } = error;
    const outcome = OUTCOMES[code] ?? "refused";
    if (outcome === "conflict" && (await reports.load(id))?.status === "deleted")
      return { outcome: "gone", ...GONE, position };
    return { outcome, code, message, position };
  }
}

const GONE = { code: "report_deleted", message: "This report was deleted" } as const;

const OUTCOMES: { readonly [code: string]: JobOutcome } = {
  conflict: "conflict",
  report_deleted: "gone",
  report_not_found: "gone",
  unavailable: "failed",
};

function envelopeOf(
  id: string,
  { body }: ModerationCommand,
  run: JobRun,
  commandKey: LiveKey,
): CommandEnvelope {
  const caller = run.caller();
  const identity = {
    actor: caller.actor.id,
    method: "POST",
    route: BULK,
    target: id,
    idempotencyKey: run.id,
  };
  return {
    caller,
    id: commandId(commandKey.current(), identity),
    ids: commandKey.all().map((key) => commandId(key, identity)),
    body,
  };
}
