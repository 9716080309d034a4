import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { mergeOpenApi, type OpenApiDocument } from "#http/api-docs/api-docs.ts";
import { inputBounds, NO_ROUTE } from "#http/bounds.ts";
import { buildOperationsApp } from "#launcher/operations/operations.app.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { forFile } from "#test-kit/for-file.ts";
import { hostileBodies, hostileQueries, hostileTexts } from "#test-kit/hostile.ts";
import { type Method, type Role, startSystem } from "./support/in-process.ts";
import { approve, submit } from "./support/reports.ts";
import { routesOf } from "./support/routes.ts";
import { countWork } from "./support/work-counter.ts";

const system = forFile(() => startSystem());
let id: string;
beforeAll(async () => {
  id = await submit(system);
  const approved = Array.from({ length: 30 }, async () => approve(system, await submit(system)));
  await Promise.all(approved);
  await system.read("/prod/api/reports/recent");
  // The workers' reads belong to no request.
  await system.stopWorkers();
});

const routes = () => routesOf(system);
type Route = ReturnType<typeof routes>[number];

/** Spreads input that the parser handles alike for all routes: each route gets a third of it in turn. */
const inTurn = (turn: number, at: number) => at % 3 === turn % 3;

interface Sent {
  readonly query?: string;
  readonly raw?: string;
  readonly headers?: Record<string, string>;
  readonly segment?: string;
}

const tokens = new Map<Role, string>();

async function tokenOf(role: Exclude<Role, "visitor">): Promise<string> {
  const token = tokens.get(role) ?? (await system.signIn(role)).token;
  tokens.set(role, token);
  return token;
}

/** Token of an account that a request may delete; it is replaced afterwards. */
let owner: string | undefined;

async function tokenOfOwner(): Promise<string> {
  if (owner) return owner;
  const login = { email: `${randomUUID()}@shop.example`, password: "Correct-horse-9" };
  const account = { ...login, role: "user", firstName: "A", lastName: "B" } as const;
  await system.commandApi.accounts.add(account, systemCaller(new Date().toISOString()));
  const reply = await system.call("POST", "/prod/api/auth/login", { body: login });
  return reply.json().data.token;
}

const counter = countWork();
afterAll(() => counter[Symbol.dispose]());

/** Sends a request to a route and checks its cost against the route's bounds. */
async function expectBounded(route: Route, kind: string, sent: Sent): Promise<number> {
  const { method, url, roles, bounds, app } = route;
  const { query = "", raw, headers = {}, segment = id } = sent;
  const as = (roles.includes("visitor") ? "visitor" : roles[0]) as Role;
  const deletes = method === "DELETE" && url.endsWith("/auth/account");
  if (deletes) owner = await tokenOfOwner();
  const token = as === "visitor" ? "" : deletes ? owner : await tokenOf(as);
  counter.take();
  const answer = await app.inject({
    method: method as Method,
    url: `${url.replace(/:\w+/g, encodeURIComponent(segment))}${query && "?"}${query}`,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(raw === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(raw === undefined ? {} : { payload: raw }),
  });
  const work = counter.take();
  // It ended the session that the next requests use.
  const done = answer.statusCode === 200;
  if (done && /\/(logout|sessions\/:id|two-factor)$/.test(url)) tokens.delete(as);
  if (done && deletes) owner = undefined;
  const what = `${method} ${url}: ${kind}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
  expect(answer.statusCode, what).toBeLessThan(500);
  // Counts each value and its name, in body, query and path.
  expect(work.texts, what).toBeLessThanOrEqual(4 * bounds.values + 10);
  expect(work.rows, what).toBeLessThanOrEqual(bounds.rows);
  if (answer.statusCode >= 400) {
    const reply = answer.json();
    expect(reply, what).toMatchObject({ success: false, error: { code: /./, message: /./ } });
    const problems = Object.keys(reply.error.fields ?? {});
    expect(problems.length, what).toBeLessThanOrEqual(inputBounds.problems);
    expect(answer.rawPayload.byteLength, what).toBeLessThanOrEqual(inputBounds.refusalBytes);
  }
  return answer.statusCode;
}

describe("every route of the running services, for any input", () => {
  it("stays within its limits: bodies", async () => {
    for (const [turn, route] of routes().entries()) {
      if (route.method === "GET") continue;
      const { bodyBytes } = route.bounds;
      const bodies = hostileBodies(bodyBytes, Object.keys(route.body)).filter(
        ({ kind }, at) => kind.endsWith("in every field") || inTurn(turn, at),
      );
      // A route without names gets the same body for every text.
      for (const [text, kind] of new Map(bodies.map(({ kind, text }) => [text, kind])))
        await expectBounded(route, kind, { raw: text });
      const tooLong = JSON.stringify({ a: "x".repeat(bodyBytes) });
      expect(await expectBounded(route, "a long body", { raw: tooLong })).toBe(413);
    }
  }, 240_000);

  it("stays within its limits: queries, paths and headers", async () => {
    const headers = ["idempotency-key", "x-min-position", "x-request-id", "user-agent"];
    for (const [turn, route] of routes().entries()) {
      for (const [at, { kind, text }] of hostileQueries(Object.keys(route.query)).entries())
        if (kind.includes(": ") || inTurn(turn, at))
          await expectBounded(route, kind, { query: text });
      for (const [kind, text] of Object.entries(route.url.includes(":") ? hostileTexts : {})) {
        const segment = text.slice(0, 400).toWellFormed();
        await expectBounded(route, `path: ${kind}`, { segment });
      }
      const name = headers[turn % headers.length] as string;
      await expectBounded(route, name, { headers: { [name]: "k".repeat(8000) } });
    }
  }, 240_000);

  it("stays within its limits: random input", async () => {
    const all = routes();
    const text = fc.oneof(fc.constantFrom(...Object.values(hostileTexts)), fc.string());
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 6 },
        text,
        fc.double(),
        fc.array(tie("any"), { maxLength: 50 }),
        fc.dictionary(fc.oneof(text, fc.string()), tie("any"), { maxKeys: 50 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), value, text, async (route, body, parameter) => {
        const pairs = [...Object.keys(route.query), "surprise"].map((name): [string, string] => [
          name,
          parameter.slice(0, 500).toWellFormed(),
        ]);
        await expectBounded(route, "at random", {
          query: new URLSearchParams(pairs).toString().slice(0, 12_000).replace(/%.?$/, ""),
          ...(route.method === "GET" ? {} : { raw: JSON.stringify(body) }),
        });
      }),
      { numRuns: 200 },
    );
  }, 240_000);
});

describe("the operations pages", () => {
  it("answer any request with a page or a short refusal, and always the same API description", async () => {
    const { app: query } = system.queryApi;
    const { app: command } = system.commandApi;
    const services = [query, command].map((app, n) => ({
      name: `${n}`,
      readiness: () => app.checkReadiness(),
      registry: app.metrics.registry,
      openApi: app.swagger() as OpenApiDocument,
    }));
    const log = pino({ level: "silent" });
    const outbox = { folder: system.mailFolder, productName: "The Registry" };
    const app = await buildOperationsApp({ version: "test", log, services, outbox, limits: "off" });
    onTestFinished(() => app.close());
    const json = (await app.inject("/docs/json")).body;
    const yaml = (await app.inject("/docs/yaml")).body;
    const paths = ["", "/static", "/static/index.css", "/json", "/yaml"].map(
      (path) => `/docs${path}`,
    );
    for (const url of [...paths, "/healthz", "/readyz", "/metrics", "/outbox", "/outbox/x", "/"]) {
      const ask = async (kind: string, sent: object) => {
        counter.take();
        const stringify = vi.spyOn(JSON, "stringify");
        const answer = await app.inject({ method: "GET", url, ...sent });
        const written = stringify.mock.results.map(({ value }) => String(value).length);
        stringify.mockRestore();
        const what = `${url}: ${kind}: ${answer.statusCode}`;
        expect(answer.statusCode, what).toBeLessThan(500);
        // Only the checks read the database.
        expect(counter.take().rows, what).toBeLessThanOrEqual(20);
        expect(Math.max(0, ...written), what).toBeLessThan(inputBounds.refusalBytes);
        if (url === "/docs/json" && answer.statusCode === 200) expect(answer.body).toBe(json);
        if (url === "/docs/yaml" && answer.statusCode === 200) expect(answer.body).toBe(yaml);
        if (answer.statusCode >= 400)
          expect(answer.rawPayload.byteLength, what).toBeLessThan(inputBounds.refusalBytes);
      };
      for (const { kind, text } of hostileQueries([])) await ask(kind, { url: `${url}?${text}` });
      for (const [kind, text] of Object.entries(hostileTexts))
        await ask(`path: ${kind}`, {
          url: `${url}/${encodeURIComponent(text.slice(0, 400).toWellFormed())}`,
        });
      await ask("a long header", { headers: { "user-agent": "k".repeat(8000) } });
      const payload = "x".repeat(NO_ROUTE.bodyBytes + 1);
      await ask("a body", { method: "POST", payload, headers: { "content-type": "text/plain" } });
    }
  }, 240_000);
});

describe("the API's description", () => {
  it("gives every operation one described tag, and lists no other tags", () => {
    const parts = [system.commandApi, system.queryApi].map(
      ({ app }) => app.swagger() as OpenApiDocument,
    );
    const merged = mergeOpenApi({ title: "t", version: "1" }, parts);
    for (const { paths = {}, tags = [] } of [...parts, merged]) {
      const described = tags.filter(({ description }) => description).map(({ name }) => name);
      expect(described).toHaveLength(tags.length);
      const used = Object.values(paths).flatMap((methods) =>
        Object.values(methods as Record<string, { tags?: string[] }>).map(({ tags: own }) => own),
      );
      expect(used.length).toBeGreaterThan(10);
      for (const own of used)
        expect([own?.length, described]).toEqual([1, expect.arrayContaining(own ?? [])]);
    }
    expect(merged.tags?.map(({ name }) => name).sort()).toEqual([
      "accounts",
      "audit",
      "content",
      "inquiries",
      "mails",
      "moderation",
      "notices",
      "payments",
      "public reports",
      "search",
      "submitting",
      "system",
      "templates",
    ]);
  });
});
