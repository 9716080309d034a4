import { randomUUID } from "node:crypto";
import type { Static } from "typebox";
import {
  ADMIN_TEMPLATES,
  PreviewTemplate,
  TEMPLATE_COMMANDS,
  type TemplateBody,
  type TemplateCommandName,
  TemplateCommandReply,
  TemplateKindParams,
  TemplateParams,
  TemplatePreviewReply,
} from "#contracts/http/admin-templates.ts";
import { CONTENT_BODY_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { TemplateRenderer } from "#mail-templates/template-renderer.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import type { TemplateCommand } from "./template.commands.ts";
import { TemplateService } from "./template.service.ts";

const ADMIN = ["admin"] as const;

/** Each command from the template's id, its body, and who sends it. */
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

/** The routes of admins for templates of mails, and their preview. */
export function templateRoutes(app: ServiceInstance, side: WriteSide): void {
  const { handler, admins, present, requests } = side;
  const renderer = new TemplateRenderer();
  app.addHook("onClose", () => renderer.close());
  const { letterhead } = present;
  const mailTemplates = new TemplateService({ handler, admins, renderer, letterhead });
  const names = Object.keys(TEMPLATE_COMMANDS) as TemplateCommandName[];
  const commands = names.map((name) => {
    const { method, path, summary, body, done } = TEMPLATE_COMMANDS[name];
    return commandRoute({
      method,
      url: ADMIN_TEMPLATES + path,
      roles: ADMIN,
      limit: name === "test" ? "mail" : "write",
      bounds: CONTENT_BODY_BOUNDS,
      proof: true,
      tag: "templates",
      summary,
      params: name === "create" ? TemplateKindParams : TemplateParams,
      body,
      reply: TemplateCommandReply,
      async run(request, response) {
        const { kind, id = "" } = request.params as Static<typeof TemplateKindParams> & {
          readonly id?: string;
        };
        const toCommand = COMMANDS[name] as (
          id: string,
          sent: unknown,
          actor: string,
        ) => TemplateCommand;
        const command = toCommand(id, request.body, request.actor.id);
        const envelope = requests.envelope(request, `${kind}/${id}`, request.body);
        const { position, ...outcome } = await mailTemplates.execute(kind, command, envelope);
        requests.position(response, position);
        return succeed({ kind, ...outcome }, { message: done });
      },
    });
  });
  const preview = commandRoute({
    method: "POST",
    url: `${ADMIN_TEMPLATES}/:kind/preview`,
    roles: ADMIN,
    limit: "write",
    bounds: CONTENT_BODY_BOUNDS,
    tag: "templates",
    summary: "A template as it would be mailed, on sample data; nothing is stored",
    params: TemplateKindParams,
    body: PreviewTemplate,
    reply: TemplatePreviewReply,
    run: async ({ params, body }) => succeed(await mailTemplates.preview(params.kind, body)),
  });
  addCommandRoutes(app, [...commands, preview]);
}
