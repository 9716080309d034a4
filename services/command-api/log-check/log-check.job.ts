import { DomainError } from "#contracts/domain-error.ts";
import { CheckLog } from "#contracts/http/audit.ts";
import { verifyLog } from "#event-store/audit-verify.ts";
import { faultSentence } from "#event-store/fault-sentence.ts";
import type { EventStore } from "#event-store/port.ts";
import { parsePosition } from "#event-store/position.ts";
import { type JobKind, jobKind } from "../jobs/job-kind.ts";

/** Streams whose last event is kept in memory: some 12 MB in a process that has other work. */
const TIPS = 50_000;

/**
 * Walks the whole log and checks that no event was changed, removed or put in between. What it counts is
 * events. The first fault ends the job, whose error names the event.
 */
export function logCheckKind({ store }: { readonly store: EventStore }): JobKind {
  return jobKind({
    name: "log_check",
    input: CheckLog,
    whenInterrupted: "continue",
    isSingle: true,
    async run(_, run) {
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
      // The log goes on growing during the walk.
      if (!run.signal.aborted) await run.total(events);
    },
  });
}
