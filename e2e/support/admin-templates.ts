import {
  TEMPLATE_COMMANDS,
  type TemplateBody,
  type TemplateCommandName,
} from "#contracts/http/admin-templates.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import { send } from "./calls.ts";

/** A template after a command. */
export interface TemplateAfter {
  readonly id: string;
  readonly revision: number;
}

/** Sends an admin's command about an email template, without a browser. */
export function sendTemplate<N extends TemplateCommandName>(
  { url, token }: { readonly url: string; readonly token: string },
  name: N,
  kind: TemplateKind,
  body: TemplateBody<N>,
  id = "",
): Promise<TemplateAfter> {
  const { method, path } = TEMPLATE_COMMANDS[name];
  const route = path.replace(":kind", kind).replace(":id", id);
  return send(url, `${method} /admin/templates${route}`, body, token);
}
