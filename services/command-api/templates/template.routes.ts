import { randomUUID } from "node:crypto";
import type { Static } from "typebox";
import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import { type RegistryEvent, streams, type TemplateEvent } from "#contracts/events/index.ts";
import {
  evolveTemplates,
  type KindState,
  type TemplateState,
  type TemplateText,
} from "#contracts/events/template.ts";
import {
  ADMIN_TEMPLATES,
  PreviewTemplate,
  TEMPLATE_COMMANDS,
  type TemplateBody,
  type TemplateCommandName,
  TemplateCommandReply,
  TemplateKindParams,
  TemplateParams,
  type TemplatePreview,
  TemplatePreviewReply,
} from "#contracts/http/admin-templates.ts";
import { sampleValues, type TemplateKind } from "#contracts/mail/template-kinds.ts";
import { subjects } from "#contracts/sealed.ts";
import { CONTENT_BODY_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { type Letterhead, layOut } from "#mail-templates/layout.ts";
import { renderFixed, TemplateInvalid, type TemplateSource } from "#mail-templates/render-text.ts";
import { shippedTemplates } from "#mail-templates/shipped/shipped-templates.ts";
import { RendererBusy, TemplateRenderer } from "#mail-templates/template-renderer.ts";
import { commandsOf } from "../kernel/command-route.ts";
import { type CommandEnvelope, type Outcome, ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import type { WriteSide } from "../write-side.ts";
import {
  decideTemplates,
  type PreparedTemplateCommand,
  type TemplateCommand,
} from "./template.decider.ts";

const ADMIN = ["admin"] as const;

/** Builds each command from the template's ID, the body and the sender's account ID. */
const COMMANDS: {
  readonly [N in TemplateCommandName]: (
    id: string,
    body: TemplateBody<N>,
    actor: string,
  ) => TemplateCommand;
} = {
  create: (_, { name, from }) => ({ type: "CreateTemplate", id: randomUUID(), name, from }),
  edit: (id, { revision, ...text }) => ({ type: "EditTemplate", id, revision, text }),
  restore: (id, { revision, version }) => ({ type: "RestoreTemplate", id, revision, version }),
  activate: (id, { revision }) => ({ type: "ActivateTemplate", id, revision }),
  deactivate: (id, { revision }) => ({ type: "DeactivateTemplate", id, revision }),
  test: (id, { revision }, to) => ({ type: "TestTemplate", id, revision, to }),
  delete: (id, { revision }) => ({ type: "DeleteTemplate", id, revision }),
};

/** Adds the admin routes for email templates and their preview. */
export function templateRoutes(app: ServiceInstance, side: WriteSide): void {
  const { handler, admins, letterhead } = side;
  const renderer = new TemplateRenderer();
  app.addHook("onClose", () => renderer.close());
  const mailTemplates = new TemplateService({ handler, admins, renderer, letterhead });
  const command = commandsOf(app, "templates");
  for (const name of Object.keys(TEMPLATE_COMMANDS) as TemplateCommandName[]) {
    const { method, path, summary, body, done } = TEMPLATE_COMMANDS[name];
    command(method, ADMIN_TEMPLATES + path, {
      roles: ADMIN,
      limit: name === "test" ? "mail" : "write",
      bounds: CONTENT_BODY_BOUNDS,
      proof: true,
      summary,
      params: name === "create" ? TemplateKindParams : TemplateParams,
      body,
      reply: TemplateCommandReply,
      async run(request) {
        const { kind, id = "" } = request.params as Static<typeof TemplateKindParams> & {
          readonly id?: string;
        };
        const toCommand = COMMANDS[name] as (
          id: string,
          sent: unknown,
          actor: string,
        ) => TemplateCommand;
        const command = toCommand(id, request.body, request.actor.id);
        const envelope = request.envelope(`${kind}/${id}`, request.body);
        const { position, ...outcome } = await mailTemplates.execute(kind, command, envelope);
        return succeed({ kind, ...outcome }, { message: done, position });
      },
    });
  }
  command("POST", `${ADMIN_TEMPLATES}/:kind/preview`, {
    roles: ADMIN,
    limit: "write",
    bounds: CONTENT_BODY_BOUNDS,
    summary: "Preview an email template with sample data; stores nothing",
    params: TemplateKindParams,
    body: PreviewTemplate,
    reply: TemplatePreviewReply,
    run: async ({ params, body }) => succeed(await mailTemplates.preview(params.kind, body)),
  });
}

type Deps = Pick<WriteSide, "handler" | "admins"> & {
  readonly renderer: TemplateRenderer;
  readonly letterhead: Letterhead;
};

interface TemplateOutcome
  extends Pick<TemplateState, "id" | "status" | "revision">,
    Pick<Outcome<unknown>, "position"> {}

class TemplateService extends Service<Deps> {
  /** @throws {DomainError} `invalid_request` with the invalid field; the decider's refusal. */
  async execute(
    kind: TemplateKind,
    command: TemplateCommand,
    envelope: CommandEnvelope,
  ): Promise<TemplateOutcome> {
    const { handler, admins } = this.deps;
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

  /** Renders a template with sample data. @throws {DomainError} `invalid_request` with the invalid field. */
  async preview(kind: TemplateKind, source: TemplateSource): Promise<TemplatePreview> {
    const { letterhead } = this.deps;
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
    const { renderer, letterhead } = this.deps;
    try {
      return await renderer.render({ subject, body }, sampleValues(kind, letterhead.productName));
    } catch (error) {
      if (error instanceof TemplateInvalid) throw refusalOf({ [error.field]: error.message });
      if (error instanceof RendererBusy)
        throw new DomainError(
          "conflict",
          "Others are rendering templates right now. Please try again.",
        );
      throw error;
    }
  }
}

/** ID of the created template. A retry generates another ID, so the revision decides. */
function createdBy({ state, revision }: Outcome<KindState | undefined>, id: string): string {
  for (const template of state?.templates.values() ?? [])
    if (template.revision === revision) return template.id;
  return id;
}

interface TemplateDeps {
  readonly eventAt: (stream: string, revision: number) => Promise<RegistryEvent | undefined>;
  /** Renders the text with sample data. @throws {DomainError} `invalid_request` with the invalid field. */
  readonly check: (text: TemplateText) => Promise<void>;
  readonly admins: () => Promise<readonly string[]>;
}

/** Stream, key, fold and decider of the templates of one kind of email. */
export function templateAggregate(
  kind: TemplateKind,
  { eventAt, check, admins }: TemplateDeps,
): Aggregate<KindState, TemplateCommand, PreparedTemplateCommand> {
  const template = subjects.template(kind);
  return {
    stream: streams.template(kind),
    subjects: { template },
    bodySubjects: [template],
    clientSubject: (caller) => ownSubject(caller) ?? template,
    newSubjects: () => [{ subject: template }],
    evolve: evolveTemplates,
    async prepare(state, command) {
      const { subject, body } = shippedTemplates[kind];
      const prepared = { ...command, shipped: { subject, body }, admins: await admins() };
      const present = state?.templates.get(command.id)?.text;
      switch (command.type) {
        case "EditTemplate":
          await check(command.text);
          return prepared;
        case "RestoreTemplate": {
          const event = await eventAt(streams.template(kind), command.version);
          const former = event && textOf(event as TemplateEvent, command.id);
          if (former) await check(former);
          return { ...prepared, former };
        }
        case "ActivateTemplate":
        case "TestTemplate":
          if (present) await check(present);
          return prepared;
        default:
          return prepared;
      }
    },
    decide: decideTemplates,
  };
}

function textOf({ data }: TemplateEvent, id: string): TemplateText | undefined {
  return data.template_id === id && "template" in data ? (data.template ?? undefined) : undefined;
}
