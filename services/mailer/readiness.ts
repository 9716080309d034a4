import type { CheckResult, ReadinessCheck } from "#http/health.ts";
import type { MailJobs, QueueState } from "./jobs/port.ts";
import type { OutboxStore } from "./outbox.store.ts";
import type { StallWatch } from "./stall-watch.ts";

/** Why no mail goes out, as a code for programs. */
export type MailsHeldUp = "queue_away" | "queue_paused" | "queue_stalled";

/**
 * The mails check of `/readyz`: how many mails wait and, while the queue hands none out, the cause
 * and the remedy. Mails that an SMTP server does not accept are `failing` but do not affect
 * readiness, because they are tried again.
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
    const code = heldUpBy(queue, stall);
    if (!code) return { ok: true, detail };
    return { ok: false, detail: { ...detail, code, cause: causeOf(code, jobs, stall) } };
  };
}

function heldUpBy(
  queue: QueueState | undefined,
  stall: Pick<StallWatch, "isStalled">,
): MailsHeldUp | undefined {
  if (!queue) return "queue_away";
  if (queue.isPaused) return "queue_paused";
  return stall.isStalled ? "queue_stalled" : undefined;
}

/** One sentence with the cause and the remedy. */
function causeOf(
  code: MailsHeldUp,
  { remedy }: Pick<MailJobs, "remedy">,
  { stalledSeconds }: Pick<StallWatch, "stalledSeconds">,
): string {
  switch (code) {
    case "queue_away":
      return "the queue of mails does not answer: start its server (JOBS_URL), and sending resumes";
    case "queue_paused":
      return `the queue of mails is paused: ${remedy} (no mail is lost)`;
    case "queue_stalled":
      return `mails have been due for ${stalledSeconds} seconds and none is sent, although the queue answers: ${remedy} (no mail is lost)`;
  }
}
