import { setTimeout as delay } from "node:timers/promises";
import type { MailJobs } from "./jobs/port.ts";
import type { OutboxStore, Waiting } from "./outbox.store.ts";

/**
 * Milliseconds that due mails may stand still. A job that was lost comes back after 15 seconds, one
 * of a mailer that died after some ten.
 */
const STALL_MS = 60_000;
/** How often the outbox is looked at. */
const INTERVAL_MS = 5_000;

export interface StallWatchOptions {
  readonly outbox: Pick<OutboxStore, "waiting">;
  readonly jobs: Pick<MailJobs, "check">;
  /** {@link STALL_MS} when absent. */
  readonly stallMs?: number | undefined;
  readonly onStall?: () => void;
}

/**
 * Detects a queue that answers but moves nothing: paused, overwritten, or abandoned by its worker.
 * Time counts only while mails are due, no mailer holds or touches one, and the queue says that it
 * works. So mails that wait for a retry, a backlog behind a slow server, and a queue that just came
 * back are no stall.
 */
export class StallWatch {
  readonly #options: StallWatchOptions;
  readonly #stallMs: number;
  readonly #intervalMs: number;
  /** The mails that were due at the first check of this stall. */
  #first: Waiting | undefined;
  #lastLook = 0;
  #standingMs = 0;

  constructor(options: StallWatchOptions) {
    this.#options = options;
    this.#stallMs = options.stallMs ?? STALL_MS;
    this.#intervalMs = Math.min(INTERVAL_MS, this.#stallMs / 4);
  }

  /** Whether due mails have not moved for too long. */
  get isStalled(): boolean {
    return this.#standingMs >= this.#stallMs;
  }

  /** How long due mails have not moved, in seconds. */
  get standingSeconds(): number {
    return Math.round(this.#standingMs / 1000);
  }

  /** Checks repeatedly until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(performance.now());
      await delay(this.#intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @param now milliseconds of a monotonic clock. */
  async look(now: number): Promise<void> {
    const was = this.isStalled;
    const first = this.#first;
    const found = await this.#ask(first?.at).catch(() => "away" as const);
    if (found === "away") {
      // One answer that is late does not make a stalled queue well.
      if (!was) this.#beginAnew();
    } else if (found === "paused" || found.due === 0 || found.isAtWork) {
      this.#beginAnew();
    } else if (!first || found.untouched < first.untouched) {
      this.#first = { ...found, untouched: found.due };
      this.#standingMs = 0;
    } else {
      // A row can become visible after a look that began later than its transaction.
      this.#first = { ...first, untouched: found.untouched };
      // A process that was frozen has not looked: that time counts for one look.
      this.#standingMs += Math.min(now - this.#lastLook, 2 * this.#intervalMs);
    }
    this.#lastLook = now;
    if (this.isStalled && !was) this.#options.onStall?.();
  }

  #beginAnew(): void {
    this.#first = undefined;
    this.#standingMs = 0;
  }

  async #ask(at: string | undefined): Promise<Waiting | "paused"> {
    const { outbox, jobs } = this.#options;
    const { isPaused } = await jobs.check();
    return isPaused ? "paused" : outbox.waiting(at);
  }
}
