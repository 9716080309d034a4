import {
  CONTENT_COMMANDS,
  type ContentBody,
  type ContentCommandName,
} from "#contracts/http/content.ts";

/** A text after a command. */
export interface TextAfter {
  readonly id: string;
  readonly revision: number;
}

/** What an admin's browser sends about the registry's texts, without the browser. */
export function adminTexts(url: string, token: string) {
  async function call(method: string, path: string, body?: object) {
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }
  async function send<N extends ContentCommandName>(
    name: N,
    body: ContentBody<N>,
    id?: string,
  ): Promise<TextAfter> {
    const { method, path } = CONTENT_COMMANDS[name];
    const { data } = await call(
      method,
      `/prod/api/admin/content${path.replace(":id", id ?? "")}`,
      body,
    );
    return data;
  }
  return {
    send,
    /** Begins a post or a page and makes it public. */
    async publish(body: ContentBody<"create">): Promise<TextAfter> {
      const { id, revision } = await send("create", body);
      return send("publish", { revision }, id);
    },
    /** Publishes other words of a text that ships. @param slug its address. */
    async republish(slug: string, words: Partial<ContentBody<"edit">>): Promise<TextAfter> {
      const range = `range=${encodeURIComponent("[0,99]")}`;
      const listed: { id: string; slug: string }[] = await call(
        "GET",
        `/prod/admin/content?${range}`,
      );
      const { id = "" } = listed.find((item) => item.slug === slug) ?? {};
      const { data } = await call("GET", `/prod/api/admin/content/${id}`);
      const edited = await send("edit", { ...data.text, ...words, revision: data.revision }, id);
      return send("publish", { revision: edited.revision }, id);
    },
  };
}
