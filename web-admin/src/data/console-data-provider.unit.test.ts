import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { MODERATION_NAMES, moderation } from "#contracts/http/moderation.ts";
import { pageLocks } from "#session-client/session-fetch.ts";
import { signedIn } from "#session-client/testing/sessions.ts";
import { MODERATION_BODIES } from "#test-kit/moderation-bodies.ts";
import { type FakeRoute, fakeFetch } from "../../testing/fake-fetch.ts";
import { apiClient } from "./api-client.ts";
import { consoleDataProvider } from "./console-data-provider.ts";
import { proofAsked } from "./observed.ts";

const ID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const ONE = `/prod/api/admin/reports/${ID}`;
const state = { id: ID, status: "approved", verified: true, revision: 3 };
const done = { body: { success: true, data: state, message: "Report approved" } };

function provider(routes: Record<string, FakeRoute>) {
  const { fetch, sent } = fakeFetch(routes);
  const client = apiClient({ fetch, session: signedIn(), locks: pageLocks() });
  return { sent, ...consoleDataProvider(client) };
}

describe("the console's data provider", () => {
  it("reads a list in the dialect of ra-data-simple-rest", async () => {
    const { getList, sent } = provider({
      "GET /prod/admin/reports": {
        body: [{ id: ID }],
        headers: { "content-range": "reports 25-25/26" },
      },
    });
    const list = await getList("reports", {
      pagination: { page: 2, perPage: 25 },
      sort: { field: "created_at", order: "DESC" },
      filter: { status: "pending", q: "Ames" },
    });
    expect(list).toEqual({ data: [{ id: ID }], total: 26 });
    const query = new URLSearchParams(sent[0]?.url.split("?")[1]);
    expect(JSON.parse(query.get("range") ?? "")).toEqual([25, 49]);
    expect(JSON.parse(query.get("sort") ?? "")).toEqual(["created_at", "DESC"]);
    expect(JSON.parse(query.get("filter") ?? "")).toEqual({ status: "pending", q: "Ames" });
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer token-1");
  });

  it("reads one record", async () => {
    const { getOne } = provider({ [`GET /prod/admin/reports/${ID}`]: { body: { id: ID } } });
    expect(await getOne("reports", { id: ID })).toEqual({ data: { id: ID } });
  });

  it.each(MODERATION_NAMES)("sends one %s command that matches the contract", async (name) => {
    const { method, path, body: schema } = moderation(name);
    const body = MODERATION_BODIES[name];
    const { moderate, sent } = provider({ [`${method} ${ONE}${path}`]: done });
    expect(await moderate(name, ID, body)).toEqual({ data: state, message: "Report approved" });
    expect(sent.map((request) => request.body)).toEqual([body]);
    expect(sent[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent[0]?.headers.get("content-type")).toBe("application/json");
    expect(Check(schema, sent[0]?.body)).toBe(true);
  });

  it("sends a command to an admin route or a full path, and rejects if it is refused", async () => {
    const PROVE = "POST /prod/api/auth/prove";
    const { command, sent } = provider({
      [`PUT /prod/api/admin/users/${ID}/role`]: done,
      [PROVE]: { body: { success: true } },
    });
    expect(await command(`/users/${ID}/role`, { role: "admin" }, "PUT")).toEqual({
      data: state,
      message: "Report approved",
    });
    await command("/prod/api/auth/prove", { password: "right" });
    expect(sent.map(({ body }) => body)).toEqual([{ role: "admin" }, { password: "right" }]);
    for (const { headers } of sent)
      expect(headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
    const error = { code: "wrong_password", message: "No" };
    const refusing = provider({ [PROVE]: { status: 403, body: { success: false, error } } });
    await expect(refusing.command("/prod/api/auth/prove")).rejects.toMatchObject(error);
  });

  it("reads from an admin route or a full path", async () => {
    const { read } = provider({
      "GET /prod/api/admin/dashboard": { body: { success: true, data: { users: 3 } } },
      "GET /prod/api/samples": { body: { success: true, data: { loaded: true } } },
    });
    expect(await read("/dashboard")).toEqual({ users: 3 });
    expect(await read("/prod/api/samples")).toEqual({ loaded: true });
  });

  it("reads a history, alone or with the report as of a revision", async () => {
    const history = { report_id: ID, erased: false, events: [], reveals: [] };
    const { reportHistory, sent } = provider({
      [`GET ${ONE}/history`]: { body: { success: true, data: history } },
    });
    expect(await reportHistory(ID)).toEqual({ data: history });
    await reportHistory(ID, 0);
    await reportHistory(ID, 3, 0);
    expect(sent.map(({ url }) => url)).toEqual([
      `${ONE}/history`,
      `${ONE}/history?at=0`,
      `${ONE}/history?at=3&against=0`,
    ]);
  });

  it("asks for the password only once if the server requires it, then resends the commands", async () => {
    const refused = { status: 403, body: { success: false, error: { code: "proof_required" } } };
    const replies = [refused, refused, done, done, refused];
    const { moderate, sent } = provider({ [`POST ${ONE}/approve`]: () => replies.shift() ?? done });
    const approve = () => moderate("approve", ID, { revision: 2 });
    // By then, every immediate response has arrived.
    const answered = () => new Promise((resolve) => setImmediate(resolve));
    const both = Promise.all([approve(), approve()]);
    await answered();
    expect(sent).toHaveLength(2);
    proofAsked.now()?.(true);
    const said = (await both).map(({ message }) => message);
    expect(said).toEqual([done.body.message, done.body.message]);
    expect(proofAsked.now()).toBeUndefined();
    const declined = expect(approve()).rejects.toMatchObject({ code: "proof_required" });
    await answered();
    proofAsked.now()?.(false);
    await declined;
    expect(sent).toHaveLength(5);
  });

  it("refuses the generic verbs, which would bypass the named commands", async () => {
    const { sent, ...generic } = provider({});
    const one = { id: ID, data: {}, previousData: {} };
    const many = { ids: [ID], data: {} };
    for (const call of [
      generic.create("reports", one),
      generic.update("reports", one),
      generic.updateMany("reports", many),
      generic.delete("reports", { id: ID }),
      generic.deleteMany("reports", many),
    ]) {
      await expect(call).rejects.toThrow("named commands");
    }
    expect(sent).toEqual([]);
  });
});
