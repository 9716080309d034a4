import { Counter, Registry } from "prom-client";

export interface MailerMetrics {
  readonly registry: Registry;
  readonly sent: Counter<"kind">;
  readonly dropped: Counter<"reason">;
  /** Mails to a desk that wait for its digest. */
  readonly held: Counter<"kind">;
  readonly failed: Counter;
  /** Mails that are sent again although they may have gone out, so some went out twice. */
  readonly retried: Counter<"reason">;
  /** Emails that went out while their report was being deleted, or texts of it masked. */
  readonly overtaken: Counter;
  /** Mails sent with the shipped words because the active template failed. */
  readonly templateFailed: Counter<"kind">;
}

export function createMailerMetrics(): MailerMetrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    sent: new Counter({
      name: "mailer_sent_total",
      help: "Mails handed over, by kind",
      labelNames: ["kind"],
      registers,
    }),
    dropped: new Counter({
      name: "mailer_dropped_total",
      help:
        "Mails that will never be sent, by reason: their report was deleted, its reporter erased, " +
        "or what they say is not so any more (superseded); their recipient switched such mails off " +
        "(unwanted); the server refused them " +
        "(undeliverable); or their recipient had enough for a day (recipient_cap, kind_cap)",
      labelNames: ["reason"],
      registers,
    }),
    held: new Counter({
      name: "mailer_held_total",
      help: "Mails to a desk of the registry that come with others in one mail, by kind",
      labelNames: ["kind"],
      registers,
    }),
    failed: new Counter({
      name: "mailer_failed_total",
      help: "Tries that failed",
      registers,
    }),
    retried: new Counter({
      name: "mailer_retried_total",
      help:
        "Mails tried again though they may have gone out: their worker ended without a mark " +
        "(lease_ended), or the server never said whether it took them (unanswered)",
      labelNames: ["reason"],
      registers,
    }),
    templateFailed: new Counter({
      name: "mailer_template_failed_total",
      help: "Mails written with the shipped words because the active template failed, by kind",
      labelNames: ["kind"],
      registers,
    }),
    overtaken: new Counter({
      name: "mailer_overtaken_total",
      help: "Emails that went out while their report was being deleted, or texts of it masked",
      registers,
    }),
  };
}
