import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { CONTENT_COMMANDS, type ContentCommandName } from "#contracts/http/content.ts";
import { pageLocks } from "#session-client/session-fetch.ts";
import { signedIn } from "#session-client/testing/sessions.ts";
import { type FakeRoute, fakeFetch } from "../../testing/fake-fetch.ts";
import { apiClient } from "./api-client.ts";
import { contentCalls } from "./content-calls.ts";

const ID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const ALL = "/prod/api/admin/content";
const words = { title: "News", description: "One", body: "Words" };
const done = {
  body: { success: true, data: { id: ID, status: "draft", revision: 3 }, message: "Done" },
};

function calls(routes: Record<string, FakeRoute>) {
  const { fetch, sent } = fakeFetch(routes);
  const client = apiClient({ fetch, session: signedIn(), locks: pageLocks() });
  return { sent, ...contentCalls(client) };
}

describe("the console's calls about texts", () => {
  const commands: [
    name: ContentCommandName,
    id: string | undefined,
    route: string,
    body: object,
  ][] = [
    ["create", undefined, `POST ${ALL}`, { kind: "blog", slug: "news", ...words }],
    ["edit", ID, `PUT ${ALL}/${ID}`, { revision: 2, ...words }],
    ["publish", ID, `POST ${ALL}/${ID}/publish`, { revision: 2 }],
    ["unpublish", ID, `POST ${ALL}/${ID}/unpublish`, { revision: 2 }],
    ["restore", ID, `POST ${ALL}/${ID}/restore`, { revision: 2, version: 0 }],
    ["delete", ID, `DELETE ${ALL}/${ID}`, { revision: 2 }],
  ];

  it.each(commands)("send one command to %s, as the contract takes it", async (...command) => {
    const [name, id, route, body] = command;
    const { commandText, sent } = calls({ [route]: done });
    const result = await commandText(name, id, body as never);
    expect(result).toEqual({ data: done.body.data, message: "Done" });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toEqual(body);
    expect(Check(CONTENT_COMMANDS[name].body, sent[0]?.body)).toBe(true);
    expect(sent[0]?.headers.get("idempotency-key")).toBeTruthy();
  });

  it("know every command of the contract", () => {
    expect(commands.map(([name]) => name).toSorted()).toEqual(
      Object.keys(CONTENT_COMMANDS).toSorted(),
    );
  });

  it("read a text, a version of it and its preview", async () => {
    const { openText, textVersion, previewText } = calls({
      [`GET ${ALL}/${ID}`]: { body: { success: true, data: { id: ID } } },
      [`GET ${ALL}/${ID}/versions/2`]: { body: { success: true, data: words } },
      [`POST ${ALL}/preview`]: { body: { success: true, data: { html: "<p>Words</p>" } } },
    });
    expect((await openText(ID)).data).toEqual({ id: ID });
    expect((await textVersion(ID, 2)).data).toEqual(words);
    expect((await previewText("Words")).data).toBe("<p>Words</p>");
  });
});
