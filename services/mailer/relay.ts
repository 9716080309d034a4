import type { MailJobs } from "./jobs/port.ts";
import type { OutboxStore } from "./outbox.store.ts";

/** How often the outbox is read, in milliseconds. */
export const RELAY_MS = 300;
/** Milliseconds after which a job that the queue lost is added again. */
const SWEEP_MS = 15_000;
/** Emails that are read at once, and so the most that wait in the queue. */
const BATCH = 500;
/** Jobs that are added concurrently. */
const ADDED_AT_ONCE = 20;

/**
 * Adds a job for every due email, keyed by its id, so that a wiped queue loses none. @returns one pass of the
 * relay.
 */
export function createRelay(deps: {
  readonly outbox: Pick<OutboxStore, "due">;
  readonly jobs: Pick<MailJobs, "add">;
  readonly sweepMs?: number | undefined;
}): (signal: AbortSignal) => Promise<void> {
  const { outbox, jobs, sweepMs = SWEEP_MS } = deps;
  const added = new Map<string, number>();
  return async (signal) => {
    const now = Date.now();
    const due = await outbox.due(BATCH);
    const missing = due.filter((mailId) => now - (added.get(mailId) ?? 0) >= sweepMs);
    while (missing.length > 0 && !signal.aborted) {
      const adding = missing.splice(0, ADDED_AT_ONCE).map(async (mailId) => {
        await jobs.add(mailId);
        added.set(mailId, now);
      });
      await Promise.allSettled(adding);
      await Promise.all(adding);
    }
    for (const [mailId, at] of added) if (now - at >= sweepMs) added.delete(mailId);
  };
}
