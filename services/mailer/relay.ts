import { setTimeout as delay } from "node:timers/promises";
import type { MailJobs } from "./jobs/port.ts";
import type { OutboxStore } from "./outbox.store.ts";

/** How often the outbox is read. */
const INTERVAL_MS = 300;
/** After this time a job that the queue lost is added again. */
const SWEEP_MS = 15_000;
const BATCH = 200;

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
      for (const mailId of due) {
        if (signal.aborted) break;
        if (now - (added.get(mailId) ?? 0) < sweepMs) continue;
        await jobs.add(mailId);
        added.set(mailId, now);
      }
      for (const [mailId, at] of added) if (now - at >= sweepMs) added.delete(mailId);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
