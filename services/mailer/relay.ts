import { setTimeout as delay } from "node:timers/promises";
import type { MailJobs } from "./jobs/port.ts";
import type { OutboxStore } from "./outbox.store.ts";

/** How often the outbox is read. */
const INTERVAL_MS = 300;
/** After this time a job that the queue lost is added again. */
const SWEEP_MS = 15_000;
/** Mails that are read at once, so the most that wait in the queue. */
const BATCH = 500;
/** Jobs that are added at the same time. */
const ADDED_AT_ONCE = 20;

/**
 * Adds a job to the queue for every due mail, and again while the mail stays due. So no mail is
 * lost when the queue is wiped. A job has the id of its mail, so one that already waits is not
 * duplicated.
 * @returns a promise that settles after the signal.
 */
export async function startRelay(deps: {
  readonly outbox: Pick<OutboxStore, "due">;
  readonly jobs: Pick<MailJobs, "add">;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number;
  readonly sweepMs?: number | undefined;
}): Promise<void> {
  const { outbox, jobs, signal, onError } = deps;
  const { intervalMs = INTERVAL_MS, sweepMs = SWEEP_MS } = deps;
  const added = new Map<string, number>();
  while (!signal.aborted) {
    try {
      const now = Date.now();
      const due = await outbox.due(BATCH);
      const missing = due.filter((mailId) => now - (added.get(mailId) ?? 0) >= sweepMs);
      let isAway = false;
      while (missing.length > 0 && !isAway && !signal.aborted) {
        const adding = missing.splice(0, ADDED_AT_ONCE).map(async (mailId) => {
          await jobs.add(mailId);
          added.set(mailId, now);
        });
        for (const { reason } of rejected(await Promise.allSettled(adding))) {
          isAway = true;
          if (!signal.aborted) onError(reason);
        }
      }
      for (const [mailId, at] of added) if (now - at >= sweepMs) added.delete(mailId);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

function rejected(results: readonly PromiseSettledResult<void>[]): PromiseRejectedResult[] {
  return results.filter((result) => result.status === "rejected");
}
