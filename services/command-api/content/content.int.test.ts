import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { contentIdOf } from "#content/content-id.ts";
import { ADMIN_CONTENT } from "#contracts/http/content.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { slugHash } from "#vault/sealing/hashes.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { resolutionCalls } from "../testing/resolutions.fixture.ts";

const fixture = forFile(() => startCommandApi());
let hash: (text: string) => string;
beforeAll(async () => {
  const key = await fixture.api.keys.serviceKey("slugs");
  hash = (text) => slugHash(key, text);
});

const post = (slug: string, changes: object = {}) => ({
  kind: "blog",
  slug,
  title: "Canary-title",
  description: "Canary-description",
  body: "Canary-body",
  ...changes,
});
const send = (method: "POST" | "PUT" | "DELETE", path: string, body: object, key?: string) =>
  fixture.call(method, ADMIN_CONTENT + path, { as: "admin", body, ...(key ? { key } : {}) });

async function begin(slug: string, changes: object = {}): Promise<string> {
  const reply = await send("POST", "", post(slug, changes));
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data.id;
}
const eventsOf = (id: string) => fixture.events(`content-${id}`);
const types = async (id: string) => (await eventsOf(id)).map(({ type }) => type);

describe("a text of the registry", () => {
  it("is stored encrypted, and its stream doesn't reveal the slug", async () => {
    const id = await begin("first-post");
    expect(id).toBe(contentIdOf(hash, "blog", "first-post"));
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({ type: "ContentCreated", data: { kind: "blog" } });
    expect(JSON.stringify(event)).not.toMatch(/canary|first-post/i);
  });

  it("is created once per key, and its slug is then taken", async () => {
    const key = randomUUID();
    const one = await send("POST", "", post("once"), key);
    const other = await send("POST", "", post("once"), key);
    expect(other.json().data).toEqual(one.json().data);
    expect(refusal(await send("POST", "", post("once")))).toEqual([409, "slug_taken"]);
    expect(await types(one.json().data.id)).toEqual(["ContentCreated"]);
  });

  it("is erased with its key when deleted, and its slug stays taken", async () => {
    const id = await begin("gone");
    const subject = subjects.content(id);
    expect(await fixture.keyState(subject)).toBe("present");
    expect((await send("DELETE", `/${id}`, { revision: 0 })).json().data.status).toBe("deleted");
    expect(await fixture.keyState(subject)).toBe("destroyed");
    expect(refusal(await send("POST", "", post("gone")))).toEqual([409, "slug_taken"]);
    expect(refusal(await send("POST", `/${id}/publish`, { revision: 1 }))).toEqual([
      410,
      "content_deleted",
    ]);
  });

  it.each([
    ["a slug with capitals", { slug: "Hello" }, "slug"],
    ["a path for a slug", { slug: "../admin" }, "slug"],
    ["a slug that is kept for the site", { slug: "admin" }, "slug"],
    ["two lines for a title", { title: "a\nb" }, "title"],
    ["text that turns around", { title: "a\u202eb" }, "title"],
    ["an unknown kind", { kind: "news" }, "kind"],
    ["a body of 100,001 characters", { body: "x".repeat(100_001) }, "body"],
    ["a NUL byte", { body: "a\u0000" }, "body"],
    ["a value that does not exist", { body: "{{secret}}" }, "body"],
    ["a field that is not declared", { html: "<b>" }, "html"],
  ])("refuses %s and names the field", async (_what, change, field) => {
    const reply = await send("POST", "", post("refused", change));
    expect(reply.statusCode, reply.body).toBe(400);
    expect(Object.keys(reply.json().error.fields)).toContain(field);
  });

  it("refuses ten megabytes before reading them", async () => {
    const reply = await send("POST", "", post("large", { body: "x".repeat(10 * 1024 * 1024) }));
    expect(refusal(reply)).toEqual([413, "too_large"]);
  });

  it("can have a hundred thousand of the widest characters", async () => {
    const id = await begin("wide", { body: "\u{20BB7}".repeat(100_000) });
    expect(await types(id)).toEqual(["ContentCreated"]);
  });
});

describe("the terms of use", () => {
  it("are stored with a submission if in force, and earlier ones have to be agreed to again", async () => {
    const submit = (terms_version?: string) =>
      fixture.call("POST", "/prod/api/reports/submit", {
        body: { ...chargeback, ...(terms_version ? { terms_version } : {}) },
      });
    const stored = async () => {
      const { rows } = await fixture.db.query<{ version: string }>(
        `select data->>'terms_version' as version from event_log.event
         where type in ('ReportSubmitted', 'AccountRegistered') order by position desc limit 1`,
      );
      return rows[0]?.version;
    };
    expect((await submit(TERMS_VERSION)).statusCode).toBe(200);
    const id = contentIdOf(hash, "legal", "terms");
    const change = { title: "Terms", description: "New ones", body: "Be fair" };
    await send("PUT", `/${id}`, { revision: -1, ...change });
    // Edited terms don't apply until they are published.
    expect((await submit(TERMS_VERSION)).statusCode).toBe(200);
    expect(await stored()).toBe(TERMS_VERSION);
    await send("POST", `/${id}/publish`, { revision: 1 });
    const [{ version = "" } = {}] = (await eventsOf(id)).slice(-1).map(({ data }) => data) as {
      version?: string;
    }[];
    expect(version).not.toBe(TERMS_VERSION);
    const refused = await submit(TERMS_VERSION);
    expect([refused.statusCode, Object.keys(refused.json().error.fields)]).toEqual([
      400,
      ["terms_accepted"],
    ]);
    expect((await submit(version)).statusCode).toBe(200);
    expect(await stored()).toBe(version);
    const account = {
      first_name: "Ann",
      last_name: "Lee",
      email: "ann-terms@registry.example",
      password: "A-long-one-1",
      confirmPassword: "A-long-one-1",
    };
    const register = (terms: object) =>
      fixture.call("POST", "/prod/api/auth/register", { body: { ...account, ...terms } });
    expect(refusal(await register({ terms_version: TERMS_VERSION }))).toEqual([
      409,
      "terms_outdated",
    ]);
    expect(await register({ terms_version: version })).toMatchObject({ statusCode: 200 });
    expect(await stored()).toBe(version);
    const registered = await register({ email: "bo-terms@registry.example" });
    expect(registered.statusCode, registered.body).toBe(200);
    expect(await stored()).toBe(version);
  });
});

describe("a request for the RESOLVED banner", () => {
  const { ownReport, send: request, body } = resolutionCalls(() => fixture);

  it("records the terms in force, and asks for agreement again if it names earlier ones", async () => {
    const id = contentIdOf(hash, "legal", "terms");
    const last = (await eventsOf(id)).findLast(({ type }) => type === "ContentPublished");
    const { version = TERMS_VERSION } = (last?.data ?? {}) as { version?: string };
    expect(version).not.toBe(TERMS_VERSION);
    const report = await ownReport();
    const sent = await body();
    const refused = await request(report, { ...sent, terms_version: TERMS_VERSION }, "user");
    expect([refused.statusCode, Object.keys(refused.json().error.fields)]).toEqual([
      400,
      ["terms_accepted"],
    ]);
    const asked = await request(report, { ...sent, terms_version: version }, "user");
    expect(asked.statusCode, asked.body).toBe(200);
    const { rows } = await fixture.db.query<{ version: string }>(
      `select data->>'terms_version' as version from event_log.event
       where type = 'ResolutionRequested' order by position desc limit 1`,
    );
    expect(rows).toEqual([{ version }]);
  });
});

describe("a preview", () => {
  it("shows a draft as the site would, with escaped HTML and only safe links", async () => {
    const body =
      "# {{product_name}}\n\n<script>alert(1)</script> [a](javascript:alert(1)) [b](/terms)";
    const { html } = (await send("POST", "/preview", { body })).json().data;
    expect(html).toContain('<h1 id="the-registry">The Registry</h1>');
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toMatch(/<script|href="javascript/);
    expect(html).toContain('<a href="/terms">b</a>');
  });

  it.each(["[", "*a", "`", "> ", "- ", "![", "<", "|a", "[a](", "\\", "&", "**a*", "[a]: x\n"])(
    "of a hundred thousand characters of %j is answered",
    async (piece) => {
      const body = piece.repeat(Math.floor(100_000 / piece.length));
      expect((await send("POST", "/preview", { body })).statusCode).toBe(200);
    },
  );
});

describe("a view", () => {
  it("counts for public texts, and the reply doesn't distinguish drafts from unknown IDs", async () => {
    const id = await begin("viewed");
    const view = async (of: string) =>
      (await fixture.call("POST", `/prod/api/content/${of}/view`, { body: {} })).json().data;
    expect(await view(id)).toEqual({ counted: false });
    expect(await view(randomUUID())).toEqual({ counted: false });
    await send("POST", `/${id}/publish`, { revision: 0 });
    expect(await view(id)).toEqual({ counted: true });
  });
});
