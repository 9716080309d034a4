import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { TEMPLATE_COMMANDS, type TemplateCommandName } from "#contracts/http/admin-templates.ts";
import { pageLocks } from "#session-client/session-fetch.ts";
import { signedIn } from "#session-client/testing/sessions.ts";
import { type FakeRoute, fakeFetch } from "../../testing/fake-fetch.ts";
import { apiClient } from "./api-client.ts";
import { templateCalls } from "./template-calls.ts";

const ID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const KIND = "/prod/api/admin/templates/approved";
const source = { subject: "News", body: "Words" };
const done = {
  body: { success: true, data: { kind: "approved", id: ID, revision: 3 }, message: "Done" },
};

function calls(routes: Record<string, FakeRoute>) {
  const { fetch, sent } = fakeFetch(routes);
  const client = apiClient({ fetch, session: signedIn(), locks: pageLocks() });
  return { sent, ...templateCalls(client) };
}

describe("the console's calls about templates of mails", () => {
  const commands: [
    name: TemplateCommandName,
    id: string | undefined,
    route: string,
    body: object,
  ][] = [
    ["create", undefined, `POST ${KIND}`, { name: "Friendlier", from: ID }],
    ["edit", ID, `PUT ${KIND}/${ID}`, { revision: 2, name: "Friendlier", ...source }],
    ["restore", ID, `POST ${KIND}/${ID}/restore`, { revision: 2, version: 0 }],
    ["activate", ID, `POST ${KIND}/${ID}/activate`, { revision: 2 }],
    ["deactivate", ID, `POST ${KIND}/${ID}/deactivate`, { revision: 2 }],
    ["test", ID, `POST ${KIND}/${ID}/test`, { revision: 2 }],
    ["delete", ID, `DELETE ${KIND}/${ID}`, { revision: 2 }],
  ];

  it.each(commands)("send one command to %s, as the contract takes it", async (...command) => {
    const [name, id, route, body] = command;
    const { commandTemplate, sent } = calls({ [route]: done });
    const result = await commandTemplate(name, "approved", id, body as never);
    expect(result).toEqual({ data: done.body.data, message: "Done" });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toEqual(body);
    expect(Check(TEMPLATE_COMMANDS[name].body, sent[0]?.body)).toBe(true);
    expect(sent[0]?.headers.get("idempotency-key")).toBeTruthy();
  });

  it("know every command of the contract", () => {
    expect(commands.map(([name]) => name).toSorted()).toEqual(
      Object.keys(TEMPLATE_COMMANDS).toSorted(),
    );
  });

  it("read all templates, one of them, a version of it and a preview", async () => {
    const preview = { subject: "News", text: "Words", html: "<p>Words</p>" };
    const { templates, openTemplate, templateVersion, previewTemplate, sent } = calls({
      "GET /prod/api/admin/templates": { body: { success: true, data: [{ id: ID }] } },
      [`GET ${KIND}/shipped`]: { body: { success: true, data: { id: "shipped" } } },
      [`GET ${KIND}/${ID}/versions/2`]: { body: { success: true, data: source } },
      [`POST ${KIND}/preview`]: { body: { success: true, data: preview } },
    });
    expect((await templates()).data).toEqual([{ id: ID }]);
    expect((await openTemplate("approved", "shipped")).data).toEqual({ id: "shipped" });
    expect((await templateVersion("approved", ID, 2)).data).toEqual(source);
    expect((await previewTemplate("approved", source)).data).toEqual(preview);
    expect(sent.at(-1)?.body).toEqual(source);
  });

  it("keep to their place, whatever an address names", async () => {
    const { openTemplate, sent } = calls({
      "GET /prod/api/admin/templates/..%2Fusers/1%2F2": { body: { success: true, data: {} } },
    });
    await openTemplate("../users", "1/2");
    expect(sent).toHaveLength(1);
  });
});
