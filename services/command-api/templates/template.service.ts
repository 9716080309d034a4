import { DomainError } from "#contracts/domain-error.ts";
import type { KindState, TemplateState, TemplateText } from "#contracts/events/template.ts";
import type { TemplatePreview } from "#contracts/http/admin-templates.ts";
import { sampleValues, type TemplateKind } from "#contracts/mail/template-kinds.ts";
import { type Letterhead, layOut } from "#mail-templates/layout.ts";
import { RendererBusy, type TemplateRenderer } from "#mail-templates/template-renderer.ts";
import { renderFixed, TemplateInvalid, type TemplateSource } from "#mail-templates/words.ts";
import type { CommandEnvelope, Outcome } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { templateAggregate } from "./template.aggregate.ts";
import type { TemplateCommand } from "./template.commands.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly renderer: TemplateRenderer;
  /** Ids of all active admins. */
  readonly admins: () => Promise<readonly string[]>;
  readonly letterhead: Letterhead;
}

/** What became of a template. */
export interface TemplateOutcome
  extends Pick<TemplateState, "id" | "status" | "revision">,
    Pick<Outcome<unknown>, "position"> {}

/** Runs the commands about templates of mails, and renders what is not stored. */
export class TemplateService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {DomainError} `invalid_request` with the field that is wrong; the decider's refusal. */
  async execute(
    kind: TemplateKind,
    command: TemplateCommand,
    envelope: CommandEnvelope,
  ): Promise<TemplateOutcome> {
    const { handler, admins } = this.#deps;
    const aggregate = templateAggregate(kind, {
      eventAt: (stream, revision) => handler.eventAt(stream, revision),
      check: async (text: TemplateText) => {
        await this.#render(kind, text);
      },
      admins,
    });
    const outcome = await handler.execute(aggregate, command, envelope);
    const { position, state } = outcome;
    const id = command.type === "CreateTemplate" ? createdBy(outcome, command.id) : command.id;
    const { status = "draft", revision = outcome.revision } = state?.templates.get(id) ?? {};
    return { id, status, revision, position };
  }

  /**
   * A template as it would be mailed, on sample data.
   * @throws {DomainError} `invalid_request` with the field that is wrong.
   */
  async preview(kind: TemplateKind, source: TemplateSource): Promise<TemplatePreview> {
    const { letterhead } = this.#deps;
    const values = sampleValues(kind, letterhead.productName);
    const { subject, ...rendered } = await this.#render(kind, source);
    const { warning, action } = renderFixed(kind, values);
    const text = {
      subject,
      rendered,
      paragraphs: warning ? [warning] : [],
      ...(action ? { action: { label: action, url: `${values.site_url}/` } } : {}),
    };
    return layOut(text, letterhead);
  }

  async #render(kind: TemplateKind, { subject, body }: TemplateSource) {
    const { renderer, letterhead } = this.#deps;
    try {
      return await renderer.render({ subject, body }, sampleValues(kind, letterhead.productName));
    } catch (error) {
      if (error instanceof TemplateInvalid)
        throw new DomainError("invalid_request", error.message, { [error.field]: error.message });
      if (error instanceof RendererBusy)
        throw new DomainError(
          "conflict",
          "Others are rendering templates right now. Please try again.",
        );
      throw error;
    }
  }
}

/** The template that the command created, also where it is repeated after its id would be another one. */
function createdBy({ state, revision }: Outcome<KindState | undefined>, id: string): string {
  for (const template of state?.templates.values() ?? [])
    if (template.revision === revision) return template.id;
  return id;
}
