import { DomainError } from "#contracts/domain-error.ts";
import { CheckLog, LOG_CHECK } from "#contracts/http/audit.ts";
import { JobStartedReply } from "#contracts/http/jobs.ts";
import { LOG_CHECK_ACTION } from "#contracts/system/actions.ts";
import { faultSentence, verifyLog } from "#event-store/audit-verify.ts";
import { type EventStore, parsePosition } from "#event-store/port.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { type SystemAction, systemActionKind } from "../system/system-action.ts";
import type { WriteSide } from "../write-side.ts";

/**
 * Maximum number of streams whose last event is kept in memory: some 12 MB in a process that also does other work.
 */
const TIPS = 50_000;

/** Creates the job that verifies the log's hash chain, counting events. The first fault ends the job as its error. */
export function logCheckKind({
  store,
  handler,
}: {
  readonly store: EventStore;
  readonly handler: Pick<CommandHandler, "execute" | "load">;
}): JobKind {
  const check: SystemAction = {
    name: LOG_CHECK_ACTION,
    kind: "log_check",
    whenInterrupted: "continue",
    async run(run) {
      await run.progress(0);
      if (store.positions === "consecutive")
        await run.total(Number(parsePosition(await store.head())));
      const { events, fault } = await verifyLog(store, {
        maxTips: TIPS,
        signal: run.signal,
        onProgress: ({ events: verified }) => run.progress(verified),
      });
      await run.progress(events);
      if (fault) throw new DomainError("log_broken", faultSentence(fault));
      // The log keeps growing during the walk.
      if (!run.signal.aborted) await run.total(events);
      return events;
    },
  };
  return systemActionKind(check, { handler });
}

/** Registers the route that starts a check of the whole log, one at a time in the registry. */
export function logCheckRoute(app: ServiceInstance, { jobs }: WriteSide): void {
  const command = commandsOf(app, "audit");
  command("POST", LOG_CHECK, {
    roles: ["admin", "auditor"],
    limit: "write",
    summary: "Check the hash chain of the whole log; returns a job",
    body: CheckLog,
    reply: JobStartedReply,
    async run(request) {
      const envelope = request.envelope("", {});
      const { id } = await jobs.begin("log_check", {}, envelope);
      return succeed({ job_id: id }, { message: "Started" });
    },
  });
}
