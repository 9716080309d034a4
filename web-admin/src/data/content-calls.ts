import {
  ADMIN_CONTENT,
  CONTENT_COMMANDS,
  type ContentBody,
  type ContentCommandName,
  type ContentRecord,
  type ContentText,
} from "#contracts/http/content.ts";
import type { ApiClient, ApiResponse } from "./api-client.ts";

/** A text after a command, with the server's own sentence. */
export interface TextResult {
  readonly data: { readonly id: string; readonly revision: number };
  readonly message: string | undefined;
}

/** What the console does with the registry's own texts. */
export interface ContentCalls {
  /** Sends a command; `id` is that of the text, or undefined for a new one. */
  commandText<N extends ContentCommandName>(
    name: N,
    id: string | undefined,
    body: ContentBody<N>,
  ): Promise<TextResult>;
  /** A text with its draft, what is public of it, and its history. */
  openText(id: string): Promise<{ data: ContentRecord }>;
  /** A text as the event at this revision left it. */
  textVersion(id: string, revision: number): Promise<{ data: ContentText }>;
  /** Markdown as the site shows it. */
  previewText(body: string): Promise<{ data: string }>;
}

/** These calls with one session's client. */
export function contentCalls(client: ApiClient): ContentCalls {
  const at = (id: string) => `${ADMIN_CONTENT}/${encodeURIComponent(id)}`;
  return {
    async commandText(name, id, body) {
      const { method, path } = CONTENT_COMMANDS[name];
      const to = id === undefined ? ADMIN_CONTENT : at(id) + path.replace("/:id", "");
      const answer = await client.command(to, method, body);
      const { data, message } = replyOf<TextResult["data"]>(answer);
      return { data, message };
    },
    async openText(id) {
      return { data: replyOf<ContentRecord>(await client.request(at(id))).data };
    },
    async textVersion(id, revision) {
      const reply = await client.request(`${at(id)}/versions/${revision}`);
      return { data: replyOf<ContentText>(reply).data };
    },
    async previewText(body) {
      const reply = await client.command(`${ADMIN_CONTENT}/preview`, "POST", { body });
      return { data: replyOf<{ html: string }>(reply).data.html };
    },
  };
}

function replyOf<T>(response: ApiResponse): { readonly data: T; readonly message?: string } {
  return response.json as { data: T; message?: string };
}
