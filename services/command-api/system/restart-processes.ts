import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "#contracts/domain-error.ts";
import { PROCESS_ID } from "#operations/process-reporter.ts";
import type { PlannedProcess } from "#operations/request-table.ts";
import type { JobRun, NewJobLine } from "../jobs/job-kind.ts";
import type { RequestStore } from "./request.store.ts";
import type { SystemAction } from "./system-action.ts";

/**
 * Milliseconds between two looks, until a process has heard that it is its turn, and until it runs again. It looks for requests every
 * five seconds and has ten to end.
 */
const TIMES = { lookMs: 500, hearMs: 30_000, backMs: 120_000 };

/** The site's servers have no database, and HAProxy is none of the registry's programs. */
const NOT_ASKED = {
  target: "web",
  outcome: "done",
  message: "web and HAProxy are not asked: what starts them can restart them.",
} as const satisfies NewJobLine;

/**
 * Restarts the processes of all services, one after the other: the next one ends when the one before runs again, or as
 * many of its service as before. One that does not come back ends the job, and the rest goes on as it was. The process that
 * runs the job is the last: another command-api, or itself when it is back, notes its return.
 * @param ownId `process_id` of this process.
 */
export function restartProcesses(
  requests: Pick<RequestStore, "plan" | "turn" | "standing">,
  times: typeof TIMES = TIMES,
  ownId: string = PROCESS_ID,
): SystemAction {
  return {
    name: "restart",
    whenInterrupted: "continue",
    async run(run) {
      const plan = await requests.plan(run.id);
      await run.total(plan.length + 1);
      const isOwn = ({ process_id }: PlannedProcess) => process_id === ownId;
      const order = plan.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)));
      let count = 0;
      for (const each of order) {
        if (run.finished.has(each.id)) continue;
        const before = plan.filter(({ service }) => service === each.service).length;
        const line = await restartOne(each, before, { requests, times, run });
        if (!line) return undefined;
        await run.line({ target: each.id, ...line });
        if (line.outcome === "done") count += 1;
        if (line.outcome === "failed")
          throw new DomainError(
            "unavailable",
            `${each.service} did not run again in time. The processes after it go on as they were: look at what starts it.`,
          );
      }
      if (!run.finished.has(NOT_ASKED.target)) await run.line(NOT_ASKED);
      return count;
    },
  };
}

/** @returns what became of it; undefined where the run has ended meanwhile. */
async function restartOne(
  each: PlannedProcess,
  before: number,
  deps: {
    readonly requests: Pick<RequestStore, "turn" | "standing">;
    readonly times: typeof TIMES;
    readonly run: JobRun;
  },
): Promise<Omit<NewJobLine, "target"> | undefined> {
  const { requests, times, run } = deps;
  const { service } = each;
  await requests.turn(run.id, each.id);
  const began = performance.now();
  while (!run.signal.aborted) {
    const { is_there, answer, others } = await requests.standing(run.id, each);
    const tookMs = performance.now() - began;
    if (answer === 0)
      return {
        outcome: "refused",
        code: "unavailable",
        message: `${service} goes on as it was: nothing would start it again (SUPERVISED).`,
      };
    if (!is_there && others >= before)
      return { outcome: "done", message: `${service} has ended and runs again.` };
    if (tookMs > (answer === null && is_there ? times.hearMs : times.backMs))
      return {
        outcome: "failed",
        code: "unavailable",
        message: `${service} did not run again in time.`,
      };
    await delay(times.lookMs, undefined, { signal: run.signal }).catch(() => undefined);
  }
  return undefined;
}
