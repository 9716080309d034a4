import {
  CONTENT_COMMANDS,
  type ContentBody,
  type ContentCommandName,
} from "#contracts/http/content.ts";
import { send as call } from "./calls.ts";

/** A text after a command. */
export interface TextAfter {
  readonly id: string;
  readonly revision: number;
}

/** Sends an admin's commands about the registry's texts, without a browser. */
export function adminTexts(url: string, token: string) {
  function send<N extends ContentCommandName>(
    name: N,
    body: ContentBody<N>,
    id = "",
  ): Promise<TextAfter> {
    const { method, path } = CONTENT_COMMANDS[name];
    return call(url, `${method} /admin/content${path.replace(":id", id)}`, body, token);
  }
  return {
    send,
    /** Creates and publishes a post or a page. */
    async publish(body: ContentBody<"create">): Promise<TextAfter> {
      const { id, revision } = await send("create", body);
      return send("publish", { revision }, id);
    },
    /** Publishes a new wording of a shipped text. @param slug its address. */
    async republish(slug: string, words: Partial<ContentBody<"edit">>): Promise<TextAfter> {
      const headers = { authorization: `Bearer ${token}` };
      const list = `${url}/prod/admin/content?range=${encodeURIComponent("[0,99]")}`;
      const listed: { id: string; slug: string }[] = await (await fetch(list, { headers })).json();
      const { id = "" } = listed.find((item) => item.slug === slug) ?? {};
      const { text, revision } = await call<{ text: ContentBody<"edit">; revision: number }>(
        url,
        `GET /admin/content/${id}`,
        {},
        token,
      );
      const edited = await send("edit", { ...text, ...words, revision }, id);
      return send("publish", { revision: edited.revision }, id);
    },
  };
}
