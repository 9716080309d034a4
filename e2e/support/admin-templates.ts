import {
  ADMIN_TEMPLATES,
  TEMPLATE_COMMANDS,
  type TemplateBody,
  type TemplateCommandName,
} from "#contracts/http/admin-templates.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";

/** A template after a command. */
export interface TemplateAfter {
  readonly id: string;
  readonly revision: number;
}

/** Sends what an admin's browser sends about a template of emails, without the browser. */
export async function sendTemplate<N extends TemplateCommandName>(
  admin: { readonly url: string; readonly token: string },
  name: N,
  kind: TemplateKind,
  body: TemplateBody<N>,
  id = "",
): Promise<TemplateAfter> {
  const { method, path } = TEMPLATE_COMMANDS[name];
  const to = admin.url + ADMIN_TEMPLATES + path.replace(":kind", kind).replace(":id", id);
  const reply = await fetch(to, {
    method,
    headers: { authorization: `Bearer ${admin.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${method} ${to}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()).data;
}
