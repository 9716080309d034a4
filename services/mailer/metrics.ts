import { Counter, Registry } from "prom-client";

export interface MailerMetrics {
  readonly registry: Registry;
  readonly sent: Counter<"kind">;
  readonly dropped: Counter<"reason">;
  readonly failed: Counter;
  /** Mails that were leased again after a lease that ended without a mark: some went out twice. */
  readonly retried: Counter;
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
      help: "Mails that will never be sent, by reason",
      labelNames: ["reason"],
      registers,
    }),
    failed: new Counter({
      name: "mailer_failed_total",
      help: "Tries that failed",
      registers,
    }),
    retried: new Counter({
      name: "mailer_retried_total",
      help: "Mails taken up again; those whose worker died after sending go out twice",
      registers,
    }),
  };
}
