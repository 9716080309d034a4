import type { Logger } from "pino";
import type { MailWriter } from "./mail-writer.ts";
import type { MailerMetrics } from "./metrics.ts";
import type { OutboxStore } from "./outbox.store.ts";
import { MailRefused, type MailTransport, MailUnanswered } from "./transports/transport.ts";

interface Deps {
  readonly outbox: OutboxStore;
  readonly writer: MailWriter;
  readonly transport: MailTransport;
  readonly metrics: MailerMetrics;
  readonly log: Logger;
}

/**
 * Sends one mail: lease the row, look at the report as it stands, send, mark. Whoever dies between
 * sending and marking leaves a lease that runs out: that mail goes out a second time, as does one
 * whose server never said that it took it. This is the one window that mail leaves open; it is
 * counted.
 */
export async function deliver(mailId: string, deps: Deps): Promise<void> {
  const { outbox, writer, transport, metrics, log } = deps;
  const mail = await outbox.lease(mailId);
  if (!mail) return;
  if (mail.isTakenOver) metrics.retried.inc({ reason: "lease_ended" });
  try {
    const written = await writer.write(mail);
    if ("drop" in written) {
      metrics.dropped.inc({ reason: written.drop });
      await outbox.dropped(mail, written.drop);
      return;
    }
    await transport.send(written);
    metrics.sent.inc({ kind: mail.kind });
    await outbox.sent(mail);
    // Deleted while it was on its way: what can be called back is.
    if (await writer.isDeleted(mail.reportId)) {
      metrics.overtaken.inc();
      await transport.forget(mail.reportId);
    }
  } catch (error) {
    metrics.failed.inc();
    if (error instanceof MailUnanswered) metrics.retried.inc({ reason: "unanswered" });
    if (error instanceof MailRefused) {
      await outbox.dropped(mail, "undeliverable");
      metrics.dropped.inc({ reason: "undeliverable" });
      return;
    }
    const name = error instanceof Error ? error.name : "unknown";
    if ((await outbox.failed(mail, name)) === "dropped") {
      metrics.dropped.inc({ reason: "undeliverable" });
    }
    // The text of a transport's error may repeat an address: only its class is logged.
    log.warn({ job: mail.id, errorClass: name }, "a mail was not sent and will be tried again");
  }
}
