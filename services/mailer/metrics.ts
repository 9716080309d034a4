import type { Logger } from "pino";
import { Counter, Registry } from "prom-client";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { ReadinessCheck } from "#http/health.ts";
import type { ReadTemplate } from "#mail-templates/active-template.ts";

export interface MailerMetrics {
  readonly registry: Registry;
  readonly sent: Counter<"kind">;
  readonly dropped: Counter<"reason">;
  /** Emails to an inbox that are held for its digest. */
  readonly held: Counter<"kind">;
  readonly failed: Counter;
  /** Emails sent again although they may have gone out, so some went out twice. */
  readonly retried: Counter<"reason">;
  /** Emails that went out while their report was being deleted or a text of it masked. */
  readonly overtaken: Counter;
  /** Emails sent with the shipped text because the active template failed. */
  readonly templateFailed: Counter<"kind">;
}

export function createMailerMetrics(): MailerMetrics {
  const registry = new Registry();
  const counter = <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
    new Counter({ name, help, labelNames: labels, registers: [registry] });
  return {
    registry,
    sent: counter("mailer_sent_total", "Emails handed over to the mail server, by kind", "kind"),
    dropped: counter(
      "mailer_dropped_total",
      "Emails dropped, by reason: deleted report, erased reporter, outdated content (superseded), " +
        "turned off by the recipient (unwanted), refused by the server (undeliverable), " +
        "daily cap reached (recipient_cap, kind_cap)",
      "reason",
    ),
    held: counter(
      "mailer_held_total",
      "Emails to our own inboxes held for the digest, by kind",
      "kind",
    ),
    failed: counter("mailer_failed_total", "Failed delivery attempts"),
    retried: counter(
      "mailer_retried_total",
      "Emails retried although they may have been sent: the worker died (lease_ended) or the " +
        "server didn't confirm (unanswered)",
      "reason",
    ),
    templateFailed: counter(
      "mailer_template_failed_total",
      "Emails sent with the shipped text because the active template failed, by kind",
      "kind",
    ),
    overtaken: counter(
      "mailer_overtaken_total",
      "Emails that went out while their report was being deleted or a text of it masked",
    ),
  };
}

const CAUSE =
  "an email template fails, so the shipped text is sent instead: correct it, or deactivate it (/prod/api/admin/templates)";

interface Deps {
  readonly log: Logger;
  readonly metrics: Pick<MailerMetrics, "templateFailed">;
  /** Returns the kind's active template; undefined for the shipped one. */
  readonly active: (kind: TemplateKind) => Promise<ReadTemplate | undefined>;
}

/** Reports a failing template, once for each version of its text, until it works or is no longer used. */
export class TemplateAlarm {
  readonly #deps: Deps;
  /** The text that failed, by kind of email; empty if it could not be read. */
  readonly #failing = new Map<TemplateKind, string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reports that the kind's active template, if known, could not be used for an email. */
  failed(kind: TemplateKind, active: ReadTemplate | undefined, error: unknown): void {
    const { log, metrics } = this.#deps;
    metrics.templateFailed.inc({ kind });
    const text = textOf(active);
    if (this.#failing.get(kind) === text) return;
    this.#failing.set(kind, text);
    // The message may quote the template.
    const errorClass = error instanceof Error ? error.name : "unknown";
    log.error({ code: "template_failed", kind, template: active?.id, errorClass }, CAUSE);
  }

  /** Ends the kind's alarm, since an email was written as it should be. */
  works(kind: TemplateKind): void {
    this.#failing.delete(kind);
  }

  /** The check `templates` of `/readyz`: not ok while an active template failed last time. */
  readonly check: ReadinessCheck = async () => {
    for (const [kind, text] of [...this.#failing])
      if (textOf(await this.#deps.active(kind)) !== text) this.#failing.delete(kind);
    const kinds = [...this.#failing.keys()];
    if (kinds.length === 0) return { ok: true, detail: { failing: 0 } };
    return {
      ok: false,
      detail: {
        failing: kinds.length,
        kinds: kinds.join(" "),
        code: "template_failed",
        cause: CAUSE,
      },
    };
  };
}

function textOf(template: ReadTemplate | undefined): string {
  return template ? JSON.stringify([template.id, template.text]) : "";
}
