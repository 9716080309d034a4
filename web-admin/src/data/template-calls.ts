import {
  ADMIN_TEMPLATES,
  TEMPLATE_COMMANDS,
  type TemplateBody,
  type TemplateCommandName,
  type TemplateItem,
  type TemplatePreview,
  type TemplateRecord,
  type TemplateText,
} from "#contracts/http/admin-templates.ts";
import type { ApiClient, ApiResponse } from "./api-client.ts";

/** A template after a command, with the server's own sentence. */
export interface TemplateResult {
  readonly data: { readonly kind: string; readonly id: string; readonly revision: number };
  readonly message: string | undefined;
}

/** What the console does with the templates of mails. */
export interface TemplateCalls {
  /** Sends a command; `id` is that of the template, or undefined for a new one. */
  commandTemplate<N extends TemplateCommandName>(
    name: N,
    kind: string,
    id: string | undefined,
    body: TemplateBody<N>,
  ): Promise<TemplateResult>;
  /** All of them, by kind, the shipped one first. */
  templates(): Promise<{ data: readonly TemplateItem[] }>;
  /** A template with its history. */
  openTemplate(kind: string, id: string): Promise<{ data: TemplateRecord }>;
  /** A template as the event at this revision left it. */
  templateVersion(kind: string, id: string, revision: number): Promise<{ data: TemplateText }>;
  /** A template as it would be mailed, on sample data. */
  previewTemplate(
    kind: string,
    source: { readonly subject: string; readonly body: string },
  ): Promise<{ data: TemplatePreview }>;
}

/** These calls with one session's client. */
export function templateCalls(client: ApiClient): TemplateCalls {
  const at = (kind: string, id?: string) =>
    [ADMIN_TEMPLATES, kind, ...(id === undefined ? [] : [id])]
      .map((part, place) => (place === 0 ? part : encodeURIComponent(part)))
      .join("/");
  return {
    async commandTemplate(name, kind, id, body) {
      const { method, path } = TEMPLATE_COMMANDS[name];
      const behind = path.replace("/:kind", "").replace("/:id", "");
      const answer = await client.command(at(kind, id) + behind, method, body);
      const { data, message } = replyOf<TemplateResult["data"]>(answer);
      return { data, message };
    },
    async templates() {
      return { data: replyOf<TemplateItem[]>(await client.request(ADMIN_TEMPLATES)).data };
    },
    async openTemplate(kind, id) {
      return { data: replyOf<TemplateRecord>(await client.request(at(kind, id))).data };
    },
    async templateVersion(kind, id, revision) {
      const reply = await client.request(`${at(kind, id)}/versions/${revision}`);
      return { data: replyOf<TemplateText>(reply).data };
    },
    async previewTemplate(kind, source) {
      const reply = await client.command(`${at(kind)}/preview`, "POST", source);
      return { data: replyOf<TemplatePreview>(reply).data };
    },
  };
}

function replyOf<T>(response: ApiResponse): { readonly data: T; readonly message?: string } {
  return response.json as { data: T; message?: string };
}
