import { setTimeout as delay } from "node:timers/promises";
import type { MailJobs } from "./jobs/port.ts";
import type { OutboxStore } from "./outbox.store.ts";

/** How often the outbox is looked at. */
const INTERVAL_MS = 300;
/** A job that the queue lost is put there again after this time. */
const SWEEP_MS = 15_000;
const BATCH = 200;

/**
 * Puts a job into the queue for every mail that is due, and again when it stays due: the queue may
 * be wiped and no mail is lost. A job that waits already is not added twice, since it has the
 * mail's id.
 * @returns a promise that ends after the signal.
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
