import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { UnknownEvent } from "#vault/sealing/event-codec.ts";
import type { MailWriter } from "./mail-writer.ts";
import type { MailerMetrics } from "./metrics.ts";
import type { LeasedMail, OutboxStore } from "./outbox.store.ts";
import { MailRefused, type MailTransport, MailUnanswered } from "./transports/transport.ts";

interface Deps {
  readonly outbox: OutboxStore;
  readonly writer: MailWriter;
  readonly transport: MailTransport;
  readonly metrics: MailerMetrics;
  readonly log: Logger;
}

/** Milliseconds between tries to mark a mail that went out. */
const MARK_RETRY_MS = [100, 1_000];

/**
 * Sends one mail: lease the row, load the report or account, respect the recipient's caps, send,
 * mark. A mailer that dies between sending and marking, or cannot mark, leaves a lease that
 * expires: that mail is sent twice, as is one whose server never acknowledged it. Both are counted.
 */
export async function deliver(mailId: string, deps: Deps): Promise<void> {
  const { outbox, writer, transport, metrics, log } = deps;
  const mail = await outbox.lease(mailId);
  if (!mail) return;
  if (mail.isTakenOver) metrics.retried.inc({ reason: "lease_ended" });
  try {
    const written = await writer.write(mail);
    if ("drop" in written) return await drop(mail, written.drop, deps);
    const admission = await outbox.admit(mail, written.countsFor);
    if (admission === "lost") return;
    if (admission !== "admitted") return await drop(mail, admission, deps);
    await transport.send(written.mail);
  } catch (error) {
    // A newer version has written about the report, and its mailer can write the mail.
    if (error instanceof UnknownEvent) {
      log.warn({ job: mail.id, errorClass: error.name }, "a mail waits for a newer version");
      return outbox.postponed(mail, error.name);
    }
    metrics.failed.inc();
    if (error instanceof MailUnanswered) metrics.retried.inc({ reason: "unanswered" });
    if (error instanceof MailRefused) return drop(mail, "undeliverable", deps);
    const name = error instanceof Error ? error.name : "unknown";
    if ((await outbox.failed(mail, name)) === "dropped") {
      metrics.dropped.inc({ reason: "undeliverable" });
    }
    // The text of a transport's error may repeat an address: only its class is logged.
    log.warn({ job: mail.id, errorClass: name }, "a mail was not sent and will be tried again");
    return;
  }
  metrics.sent.inc({ kind: mail.kind });
  // From here on it is no failed try, whatever happens: its lease says that it may have gone out.
  try {
    await persistently(() => outbox.sent(mail));
  } catch (err) {
    log.error({ job: mail.id, err }, "a mail was sent and not marked: it goes out a second time");
  }
  // Erased while it was in flight: what can be recalled is.
  if (await persistently(() => writer.isErased(mail))) {
    metrics.overtaken.inc();
    await transport.forget(mail.ownerId);
  }
}

async function drop(mail: LeasedMail, reason: string, { outbox, metrics }: Deps): Promise<void> {
  await outbox.dropped(mail, reason);
  metrics.dropped.inc({ reason });
}

/** A brief outage of a store does not cause a second copy of a sent mail. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (const ms of MARK_RETRY_MS) {
    try {
      return await work();
    } catch {
      await delay(ms);
    }
  }
  return work();
}
