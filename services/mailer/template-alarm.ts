import type { Logger } from "pino";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { ReadinessCheck } from "#http/health.ts";
import type { ReadTemplate } from "#mail-templates/active-template.ts";
import type { MailerMetrics } from "./metrics.ts";

const CAUSE =
  "a mail template fails, and the shipped words are sent in its place: correct it, or deactivate it (/prod/api/admin/templates)";

interface Deps {
  readonly log: Logger;
  readonly metrics: Pick<MailerMetrics, "templateFailed">;
  /** The template of the kind that is active now; undefined for the shipped one. */
  readonly active: (kind: TemplateKind) => Promise<ReadTemplate | undefined>;
}

/** Tells that a template fails: once for each text of it, until it works or is not used any more. */
export class TemplateAlarm {
  readonly #deps: Deps;
  /** The text that failed, by kind of mail; empty where it could not be read. */
  readonly #failing = new Map<TemplateKind, string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The active template of the kind, if it is known, could not be used for a mail. */
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

  /** A mail of the kind has the words that it should have. */
  works(kind: TemplateKind): void {
    this.#failing.delete(kind);
  }

  /** The check `templates` of `/readyz`: not ok while a template that is active failed last time. */
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
