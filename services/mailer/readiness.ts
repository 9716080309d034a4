import type { CheckResult, ReadinessCheck } from "#http/health.ts";
import type { MailJobs, QueueState } from "./jobs/port.ts";
import type { OutboxStore, Waiting } from "./outbox.store.ts";

/** Why no email goes out, as a code for programs. */
type QueueProblem = "queue_away" | "queue_paused" | "queue_stalled";

/**
 * The check `mails`: how many emails wait, and why the queue hands none out. Emails that a server refuses do not
 * affect it.
 */
export function mailsCheck(parts: {
  readonly outbox: Pick<OutboxStore, "counts">;
  readonly jobs: Pick<MailJobs, "check" | "remedy">;
  readonly stall: Pick<StallWatch, "isStalled" | "stalledSeconds">;
}): ReadinessCheck {
  const { outbox, jobs, stall } = parts;
  return async (): Promise<CheckResult> => {
    const [counts, queue] = await Promise.all([
      outbox.counts(),
      jobs.check().catch(() => undefined),
    ]);
    const detail = { ...counts, jobs: queue !== undefined };
    const code = queueProblem(queue, stall);
    if (!code) return { ok: true, detail };
    return { ok: false, detail: { ...detail, code, cause: causeOf(code, jobs, stall) } };
  };
}

function queueProblem(
  queue: QueueState | undefined,
  stall: Pick<StallWatch, "isStalled">,
): QueueProblem | undefined {
  if (!queue) return "queue_away";
  if (queue.isPaused) return "queue_paused";
  return stall.isStalled ? "queue_stalled" : undefined;
}

function causeOf(
  code: QueueProblem,
  { remedy }: Pick<MailJobs, "remedy">,
  { stalledSeconds }: Pick<StallWatch, "stalledSeconds">,
): string {
  switch (code) {
    case "queue_away":
      return "the email queue is not responding: start its server (JOBS_URL) to resume sending";
    case "queue_paused":
      return `the email queue is paused: ${remedy} (no email is lost)`;
    case "queue_stalled":
      return `emails have been due for ${stalledSeconds} seconds, but the queue isn't sending any: ${remedy} (no email is lost)`;
  }
}

/** Milliseconds without progress: a lost job is back after 15 seconds, a dead mailer's after ten. */
const STALL_MS = 60_000;
/** How often the outbox is checked. */
const INTERVAL_MS = 5_000;

interface StallWatchOptions {
  readonly outbox: Pick<OutboxStore, "waiting">;
  readonly jobs: Pick<MailJobs, "check">;
  /** {@link STALL_MS} when absent. */
  readonly stallMs?: number | undefined;
  readonly onStall?: () => void;
}

/**
 * Detects a queue that answers but hands nothing out: overwritten, or abandoned by its worker. Time
 * counts only while emails are due, no mailer holds or touches one, and the queue is not paused. So
 * emails that wait for a retry, a backlog behind a slow server, and a queue that has just come back
 * are not stalls.
 */
export class StallWatch {
  readonly #options: StallWatchOptions;
  readonly #stallMs: number;
  /** How often to call {@link look}. */
  readonly everyMs: number;
  /** The emails that were due at the first check of this stall. */
  #first: Waiting | undefined;
  #lastCheckAt = 0;
  #stalledForMs = 0;

  constructor(options: StallWatchOptions) {
    this.#options = options;
    this.#stallMs = options.stallMs ?? STALL_MS;
    this.everyMs = Math.min(INTERVAL_MS, this.#stallMs / 4);
  }

  /** Whether due emails have made no progress for too long. */
  get isStalled(): boolean {
    return this.#stalledForMs >= this.#stallMs;
  }

  /** For how many seconds due emails have made no progress. */
  get stalledSeconds(): number {
    return Math.round(this.#stalledForMs / 1000);
  }

  /** @param now milliseconds of a monotonic clock. */
  async look(now = performance.now()): Promise<void> {
    const was = this.isStalled;
    const first = this.#first;
    const found = await this.#ask(first?.at).catch(() => "away" as const);
    if (found === "away") {
      // One missing answer does not mean that a stalled queue works again.
      if (!was) this.#reset();
    } else if (found === "paused" || found.due === 0 || found.isAtWork) {
      this.#reset();
    } else if (!first || found.untouched < first.untouched) {
      this.#first = { ...found, untouched: found.due };
      this.#stalledForMs = 0;
    } else {
      // A row can become visible only after a check that started later than the row's transaction.
      this.#first = { ...first, untouched: found.untouched };
      // A suspended process has not checked, so a long gap counts for two checks at most.
      this.#stalledForMs += Math.min(now - this.#lastCheckAt, 2 * this.everyMs);
    }
    this.#lastCheckAt = now;
    if (this.isStalled && !was) this.#options.onStall?.();
  }

  #reset(): void {
    this.#first = undefined;
    this.#stalledForMs = 0;
  }

  async #ask(at: string | undefined): Promise<Waiting | "paused"> {
    const { outbox, jobs } = this.#options;
    const { isPaused } = await jobs.check();
    return isPaused ? "paused" : outbox.waiting(at);
  }
}
