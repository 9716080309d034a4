import { handleAll, IterableBackoff, retry } from "cockatiel";
import type { Logger } from "pino";
import { streams } from "#contracts/events/index.ts";
import { INQUIRY_ENDS } from "#contracts/events/inquiry/inquiry-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import type { EventStore } from "#event-store/port.ts";
import type { UsedTemplate } from "#mail-templates/writing/mail-renderer.ts";
import type { DigestMails, MailWriter } from "#mail-templates/writing/mail-writer.ts";
import type { OutgoingMail } from "#mail-templates/writing/outgoing-mail.ts";
import { UnknownEvent } from "#vault/sealing/event-codec.ts";
import type { InboxAlarm } from "./inbox-mails.ts";
import type { LeasedMail } from "./leases.ts";
import type { MailerMetrics } from "./metrics.ts";
import type { OutboxStore } from "./outbox.store.ts";
import { MailRefused, type MailTransport, MailUnanswered } from "./transports/transport.ts";

interface Deps {
  readonly store: Pick<EventStore, "readStream">;
  readonly outbox: OutboxStore;
  readonly writer: MailWriter;
  readonly transport: MailTransport;
  readonly metrics: MailerMetrics;
  readonly log: Logger;
  readonly inboxAlarm: InboxAlarm;
  /** Whether notifications are sent now. Security emails and requested emails always are. */
  readonly notifies: () => boolean;
}

/** Retries, so that a short outage of a store does not send an email twice. */
const outages = retry(handleAll, { maxAttempts: 2, backoff: new IterableBackoff([100, 1_000]) });

/**
 * Sends one email: leases its row, loads the report or account, checks the recipient's caps, sends
 * the email and marks it.
 *
 * An email is sent twice if a mailer dies between sending and marking or cannot mark, since its lease
 * expires, or if the server never acknowledged it. Both cases are counted.
 * @returns `later` for an email that only waits for another one of its report.
 */
export async function deliver(mailId: string, deps: Deps): Promise<"done" | "later"> {
  const mail = await deps.outbox.lease(mailId);
  if (mail === "held_up") return "later";
  if (mail) await deliverLeased(mail, deps);
  return "done";
}

async function deliverLeased(mail: LeasedMail, deps: Deps): Promise<void> {
  const { store, outbox, writer, transport, metrics, log, inboxAlarm } = deps;
  if (mail.isTakenOver) metrics.retried.inc({ reason: "lease_ended" });
  const { isForInbox = false, setting } = mailKinds[mail.kind];
  if (setting !== undefined && !deps.notifies()) return drop(mail, "notifications_off", deps);
  let digest: DigestMails | undefined;
  let used: UsedTemplate | undefined;
  let sent: OutgoingMail;
  try {
    const { heldFor } = mail;
    digest = heldFor && (await outbox.readDigest(mail));
    const written = await (heldFor && digest
      ? writer.writeDigest(mail, heldFor, digest)
      : writer.write(mail));
    if ("drop" in written) return await drop(mail, written.drop, deps);
    const { inbox, countsFor } = written;
    used = written.used;
    sent = written.mail;
    const admission = await (inbox
      ? outbox.admitToInbox(mail, inbox)
      : outbox.admit(mail, countsFor));
    if (admission === "lost") return;
    if (admission === "held") return metrics.held.inc({ kind: mail.kind });
    if (admission !== "admitted") return await drop(mail, admission, deps);
    await transport.send(sent);
  } catch (error) {
    // The log holds an event of a newer version, whose mailer can write this email.
    if (error instanceof UnknownEvent) {
      log.warn(
        { job: mail.id, errorClass: error.name },
        "an email needs a newer version to be written",
      );
      return outbox.postponed(mail, error.name);
    }
    metrics.failed.inc();
    if (error instanceof MailUnanswered) metrics.retried.inc({ reason: "unanswered" });
    // A wrong inbox address is the operator's to fix, and emails to it must not get lost until then.
    const isRefused = error instanceof MailRefused;
    if (isRefused && !isForInbox) return drop(mail, "undeliverable", deps);
    const name = error instanceof Error ? error.name : "unknown";
    const isDropped = (await outbox.failed(mail, name)) === "dropped";
    if (isDropped) metrics.dropped.inc({ reason: "undeliverable" });
    if (isForInbox) inboxAlarm.unsent(mail, { errorClass: name, isRefused, isDropped });
    // A transport's error may contain the address, so only its class is logged.
    log.warn({ job: mail.id, errorClass: name }, "couldn't send an email; will retry");
    return;
  }
  metrics.sent.inc({ kind: mail.kind });
  log.debug({ job: mail.id, name: mail.kind }, "email sent");
  if (isForInbox) inboxAlarm.sent(mail);
  // The email may have gone out, so from here on nothing counts as a failed attempt.
  try {
    const told = digest;
    if (told) await outages.execute(() => outbox.markSentInDigest(told));
    await outages.execute(() => outbox.sent(mail, used));
  } catch (err) {
    log.error(
      { job: mail.id, err },
      "an email was sent but couldn't be marked as sent, so it will be sent again",
    );
  }
  // If its owner was erased or its report masked while it was in flight, whatever can be recalled is removed.
  const overtaking = await outages.execute(() => overtakenBy(mail, sent, store));
  if (overtaking) {
    metrics.overtaken.inc();
    await transport.forget(sent.ownerId, overtaking.until);
  }
}

async function drop(mail: LeasedMail, reason: string, { outbox, metrics }: Deps): Promise<void> {
  await outbox.dropped(mail, reason);
  metrics.dropped.inc({ reason });
}

/** Events after which no email is kept. */
const ERASURES = new Set(["ReportErased", "ReporterErased", ...ACCOUNT_ENDS, ...INQUIRY_ENDS]);

/** What to remove: emails based on this revision of the report or an earlier one, or all. */
interface Overtaken {
  readonly until?: number;
}

/** Returns why an email is outdated, if it is: report deleted, recipient erased, or text masked after `revision`. */
export async function overtakenBy(
  { kind, ownerId, reports }: Pick<LeasedMail, "kind" | "ownerId" | "reports">,
  { revision = Number.POSITIVE_INFINITY }: Pick<OutgoingMail, "revision">,
  store: Pick<EventStore, "readStream">,
): Promise<Overtaken | undefined> {
  const { owner } = mailKinds[kind];
  const about = [streams[owner === "account" ? "user" : owner](ownerId)];
  if (reports) about.push(streams.report(reports.own));
  for (const stream of about) {
    const overtaken = await overtakenIn(stream, revision, store);
    if (overtaken) return overtaken;
  }
  return undefined;
}

async function overtakenIn(
  stream: string,
  writtenFrom: number,
  store: Pick<EventStore, "readStream">,
): Promise<Overtaken | undefined> {
  const newestFirst = { direction: "backwards" } as const;
  let isThere = false;
  let isUndone = false;
  let until: number | undefined;
  for await (const { type, revision } of store.readStream(stream, "end", newestFirst)) {
    if (ERASURES.has(type) || (type === "ReportDeleted" && !isUndone)) return {};
    if (type === "ReportTextMasked" && revision > writtenFrom) until ??= revision;
    // A deletion that was undone later hides nothing.
    if (type.startsWith("ReportDelet")) isUndone = type === "ReportDeletionUndone";
    isThere = true;
  }
  if (!isThere) return {};
  return until === undefined ? undefined : { until };
}
