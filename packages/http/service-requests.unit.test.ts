import { afterEach, describe, expect, it, vi } from "vitest";
import { signingKey } from "#vault/keys/service-keys.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { boundsOf, inputBounds, NO_ROUTE } from "./bounds.ts";
import { closeServices, json, open, post, service } from "./testing/sample-service.ts";

afterEach(closeServices);

describe("requests", () => {
  it("convert path and query text, fill in defaults, and ignore _cb and empty values", async () => {
    const { app } = await service();
    const answer = await post(app, "/things/7?tags=a&q=&_cb=17", { name: "x" });
    expect(answer.json().data).toEqual({
      params: { id: 7 },
      query: { limit: 9, tags: ["a"] },
      body: { name: "x" },
    });
    const more = await post(app, "/things/7?limit=3&tags=a&tags=b", { name: "x" });
    expect(more.json().data.query).toEqual({ limit: 3, tags: ["a", "b"] });
  });

  it.each([
    [
      "a number in the body as text",
      "/things/1",
      { name: "x", size: "3" },
      "size",
      /^Size must be a whole number$/,
    ],
    ["a fraction", "/things/1", { name: "x", size: 1.5 }, "size", /whole number/],
    ["a missing field", "/things/1", {}, "name", /^Name is required$/],
    ["an unknown field", "/things/1", { name: "x", zz: 1 }, "zz", /^zz isn't a field/],
    ["a list for an object", "/things/1", [], "body", /^The request body must be an object$/],
    ["an unknown query parameter", "/things/1?color=red", { name: "x" }, "color", /isn.t a field/],
    ["a query parameter given twice", "/things/1?q=a&q=b", { name: "x" }, "q", /^Q must be text$/],
    ["a query parameter out of range", "/things/1?limit=0", { name: "x" }, "limit", /at least 1/],
    ["a query parameter that is no number", "/things/1?limit=1e1", { name: "x" }, "limit", /whole/],
    ["a query parameter too long", "/things/1?q=123456", { name: "x" }, "q", /at most 5/],
    ["a path that is no number", "/things/x", { name: "x" }, "id", /^ID must be a whole number$/],
    ["a NUL byte in the body", "/things/1", { name: "a\0b" }, "name", /^Name contains char/],
    ["a lone surrogate", "/things/1", { name: "\ud800" }, "name", /^Name contains char/],
    ["a NUL byte in a name", "/things/1", { name: "x", "a\0": 1 }, "body", /name of a field/],
    ["a NUL byte in the query", "/things/1?q=%00", { name: "x" }, "q", /^Q contains char/],
    ["a NUL byte in the path", "/things/%00", { name: "x" }, "id", /^ID contains char/],
  ])("are rejected for %s, naming the field", async (_what, url, payload, field, text) => {
    const { app } = await service();
    // An escaped lone surrogate can only come from hand-written text.
    const answer = await post(app, url, JSON.stringify(payload), json);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      success: false,
      error: {
        code: "invalid_request",
        message: expect.stringMatching(/\.$/),
        fields: { [field as string]: expect.stringMatching(text as RegExp) },
      },
    });
  });

  it("may contain emoji and right-to-left text", async () => {
    const { app } = await service();
    const name = "😀 \u202eשלום 👩‍👩‍👧";
    expect((await post(app, "/things/1", { name })).json().data.body).toEqual({ name });
  });

  it.each([
    ["broken JSON", "{", json, 400, "invalid_json"],
    ["a prototype in the JSON", '{"__proto__":{"a":1}}', json, 400, "invalid_json"],
    ["a literal null", "null", json, 400, "invalid_request"],
    ["a body too large", `{"name":"${"x".repeat(300_000)}"}`, json, 413, "too_large"],
    ["text", "name=x", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
    [
      "a form",
      "name=x",
      { "content-type": "application/x-www-form-urlencoded" },
      415,
      "unsupported_media_type",
    ],
    ["no content type", Buffer.from("{}"), {}, 415, "unsupported_media_type"],
    ["no sense as a content type", "{}", { "content-type": "x" }, 415, "unsupported_media_type"],
    [
      "nesting without end",
      `{"name":${"[".repeat(900)}${"]".repeat(900)}}`,
      json,
      400,
      "invalid_request",
    ],
  ])("with %s are rejected in the same format", async (_what, payload, headers, status, code) => {
    const { app } = await service();
    const answer = await app.inject({ method: "POST", url: "/things/1", payload, headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, error: { code, message: /./ } });
  });

  it("with an undecodable or unknown URL are rejected in the same format", async () => {
    const { app } = await service();
    const broken = await app.inject("/things/%E0%A4%A");
    expect([broken.statusCode, broken.json().error.code]).toEqual([400, "invalid_url"]);
    for (const method of ["GET", "POST", "DELETE", "HEAD"] as const) {
      const nowhere = await app.inject({ method, url: "/nowhere" });
      expect(nowhere.statusCode).toBe(404);
      if (method !== "HEAD") expect(nowhere.json().error.code).toBe("not_found");
    }
  });

  it("may omit a body whose fields are all optional, whatever their content type", async () => {
    const { app } = await service();
    for (const headers of [{}, json]) {
      const answer = await app.inject({ method: "POST", url: "/optional", headers });
      expect(answer.json()).toEqual({ success: true, data: { name: "none" } });
    }
    expect((await post(app, "/optional", { zz: 1 })).statusCode).toBe(400);
  });

  it("may not send a body to a route that declares none, except an empty one", async () => {
    const { app } = await service();
    expect((await post(app, "/no-body", {})).statusCode).toBe(200);
    expect((await post(app, "/no-body", { a: 1 })).statusCode).toBe(400);
    expect((await post(app, "/no-body", "[1]", json)).statusCode).toBe(400);
  });

  it("report several problems at once", async () => {
    const { app } = await service();
    const { error } = (await post(app, "/things/1", { size: "x", zz: 1 })).json();
    expect(Object.keys(error.fields).sort()).toEqual(["name", "size", "zz"]);
    expect(error.message).toContain("Name is required.");
  });

  it.each([
    [
      "a long name over many bad texts",
      `{"${"k".repeat(131_000)}":[${Array(3000).fill('"\\u0000"')}]}`,
    ],
    ["many bad texts", `{"name":[${Array(900).fill('"\\u0000"')}]}`],
    ["many values", `[${Array(60_000).fill(0)}]`],
    [
      "many unknown fields",
      JSON.stringify(Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`, n]))),
    ],
    [
      "many unknown fields with long names",
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`${n}${"é".repeat(95)}`, n])),
      ),
    ],
  ])("with %s get a short reply", async (_what, payload) => {
    const { app } = await service();
    const answer = await app.inject({ method: "POST", url: "/large", payload, headers: json });
    expect(answer.statusCode).toBe(400);
    const { fields } = answer.json().error;
    expect(Object.keys(fields).length).toBeLessThanOrEqual(inputBounds.problems);
    expect(answer.rawPayload.byteLength).toBeLessThan(16 * 1024);
  });

  it("are rejected unread if longer than their route allows", async () => {
    const { app } = await service();
    const text = (bytes: number) => JSON.stringify({ name: "x".repeat(bytes - 11) });
    const { bodyBytes } = boundsOf(open);
    expect((await post(app, "/things/1", text(bodyBytes), json)).statusCode).toBe(200);
    expect((await post(app, "/things/1", text(bodyBytes + 1), json)).statusCode).toBe(413);
    expect((await post(app, "/large", text(bodyBytes + 1), json)).statusCode).toBe(200);
    expect((await post(app, "/nowhere", text(NO_ROUTE.bodyBytes + 1), json)).statusCode).toBe(413);
  });

  it.each([
    ["many brackets", (count: number) => "[".repeat(count)],
    ["many values", (count: number) => `{"name":[${Array(count).fill(0)}]}`],
    ["one repeated name", (count: number) => `{${Array(count).fill('"name":"x"')}}`],
  ])("are rejected unparsed if they contain too much: %s", async (_what, make) => {
    const { app } = await service();
    const parse = vi.spyOn(JSON, "parse");
    const isParsed = (text: string) => parse.mock.calls.some(([parsed]) => parsed === text);
    const { values } = boundsOf(open);
    const [fits, tooMuch] = [make(values), make(values + 2)];
    await post(app, "/things/1", fits, json);
    const answer = await post(app, "/things/1", tooMuch, json);
    expect([isParsed(fits), isParsed(tooMuch)]).toEqual([true, false]);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.fields).toEqual({
      body: `The request has more than ${values} values`,
    });
    parse.mockRestore();
  });

  it.each([
    ["a name", (name: string) => `{"${name}":1}`],
    ["a name with bad texts below it", (name: string) => `{"${name}":["\\u0000"]}`],
  ])("are rejected unparsed for %s of any length above the limit", async (_what, make) => {
    const { app } = await service();
    const parse = vi.spyOn(JSON, "parse");
    const isParsed = (text: string) => parse.mock.calls.some(([parsed]) => parsed === text);
    const { nameLength } = inputBounds;
    const [just, far] = [make("k".repeat(nameLength + 1)), make("k".repeat(200_000))];
    const answers = [await post(app, "/large", just, json), await post(app, "/large", far, json)];
    expect([isParsed(just), isParsed(far)]).toEqual([true, false]);
    const problem = `The name of a field must have at most ${nameLength} characters`;
    for (const answer of answers) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toEqual({
        code: "invalid_request",
        message: `${problem}.`,
        fields: { body: problem },
      });
    }
    parse.mockRestore();
  });

  it("with a token longer than any valid one are rejected, even if it is signed", async () => {
    const keys = createMemoryKeyStore();
    const signer = await keys.liveKey("tokens");
    const { app, accounts } = await service({
      tokens: { verifier: await keys.tokenVerifier(), signer },
    });
    await app.ready();
    const id = "6f1c2d34-1111-4222-8333-444455556666";
    accounts.rows.set(id, { id, role: "user", tokenVersion: 1, sessionId: id, active: true });
    const ask = (padding: string) => {
      const claims = { sub: id, role: "user", tokenVersion: 1, sid: id, padding };
      const token = app.jwt.sign(claims, signingKey(signer.current()));
      return app.inject({ url: "/leaky", headers: { authorization: `Bearer ${token}` } });
    };
    expect((await ask("")).statusCode).toBe(200);
    const long = await ask("x".repeat(inputBounds.tokenLength));
    expect([long.statusCode, long.json().error.code]).toEqual([401, "invalid_token"]);
  });
});
