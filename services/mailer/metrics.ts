import type { Logger } from "pino";
import { Counter, Registry } from "prom-client";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { ReadinessCheck } from "#http/health.ts";
import type { ReadTemplate } from "#mail-templates/active-template.ts";

export interface MailerMetrics {
  readonly registry: Registry;
  readonly sent: Counter<"kind">;
  readonly dropped: Counter<"reason">;
  /** Emails to a desk that are held for its digest. */
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
        "or what they say is no longer true (superseded); their recipient turned such emails off " +
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
