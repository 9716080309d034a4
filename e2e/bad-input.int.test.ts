import fc from "fast-check";
import type { TSchema } from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { type Method, ROLES, startSystem } from "./support/in-process.ts";
import { approve, badCheck, chargeback, submit } from "./support/reports.ts";
import { routesOf } from "./support/routes.ts";

const system = forFile(() => startSystem());
let id: string;
beforeAll(async () => {
  id = await submit(system);
  await approve(system, id);
  await system.read("/prod/api/reports/recent");
});

const SUBMIT = "/prod/api/reports/submit";
const SIGN_OUT = "/prod/api/auth/logout";

/** Counts of events and rows, which a refused request must not change. */
async function fingerprint(): Promise<string> {
  const { rows } = await system.db.query(
    `select (select count(*) from event_log.event where type not in
              ('CallRefused', 'SignInFailed')) as events,
       (select count(*) from command.address) as addresses,
       (select count(*) from command.account) as accounts`,
  );
  return JSON.stringify(rows[0]);
}

/** Expects a 4xx in the contract's shape, with a meaningful message. */
function expectRefusal(answer: { statusCode: number; body: string }, what: string): void {
  expect(answer.statusCode, `${what}: ${answer.body}`).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500);
  expect(answer.statusCode, what).not.toBe(429);
  const reply = JSON.parse(answer.body);
  expect(reply).toMatchObject({ success: false, error: { code: expect.any(String) } });
  expect(reply.error.message.length).toBeGreaterThan(5);
}

describe("invalid bodies", () => {
  it.each([
    ["broken JSON", '{"title": ', {}, 400],
    ["an empty body", "", {}, 400],
    ["a list", "[]", {}, 400],
    ["a text", '"x"', {}, 400],
    ["null", "null", {}, 400],
    ["a number", "1e999", {}, 400],
    ["10 MB", `{"title":"${"x".repeat(10_000_000)}"}`, {}, 413],
    ["deep nesting", `${"[".repeat(5000)}${"]".repeat(5000)}`, {}, 400],
    ["a prototype", '{"__proto__":{"admin":true}}', {}, 400],
    ["a form", "title=x", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["XML", "<x/>", { "content-type": "application/xml" }, 415],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), {}, 400],
  ])(
    "%s: refused in the contract's error format, with nothing stored",
    async (what, raw, headers, status) => {
      const before = await fingerprint();
      const answer = await system.call("POST", SUBMIT, { raw, headers });
      expectRefusal(answer, what);
      expect(answer.statusCode, answer.body).toBe(status);
      expect(await fingerprint()).toBe(before);
    },
  );
});

/** What hostile and clumsy callers put into a field. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    {},
    [],
    [null],
    -1,
    1e21,
    0.001,
    "a\u0000b",
    "\ud800",
    "x".repeat(20_000),
    "2026-02-30",
    "9999-12-31",
    "'; drop table report; --",
    "<script>alert(1)</script>",
    "😀".repeat(10),
    "\u202eשלום",
    "{{7*7}}",
    "../../etc/passwd",
    "%00",
  ),
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);

describe("fields with arbitrary content", () => {
  it.each([
    ["chargeback", chargeback],
    ["bad check", badCheck],
  ])(
    "of a %s: stored completely or refused completely, never a server error",
    async (_type, valid) => {
      const names = [
        ...Object.keys(valid),
        "email",
        "phone",
        "notes",
        "ip_address",
        "chargebacks",
        "nickname",
      ];
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...names), junk, async (name, value) => {
          const before = await fingerprint();
          const answer = await system.call("POST", SUBMIT, { body: { ...valid, [name]: value } });
          if (answer.statusCode === 200) return;
          expectRefusal(answer, name);
          const { code, fields = {} } = answer.json().error;
          if (code === "invalid_request") {
            const named = Object.keys(fields).some(
              (field) => field.split(".")[0] === name || field === name,
            );
            // If a field decides which others are valid, the error may name one of those.
            expect(
              named || name === "report_type" || name === "country",
              `${name}: ${answer.body}`,
            ).toBe(true);
          }
          expect(await fingerprint()).toBe(before);
        }),
        { numRuns: 100 },
      );
    },
    120_000,
  );
});

/** Strings, numbers and objects that mostly break the schemas, but sometimes match them. */
function near(properties: Record<string, TSchema>): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, fc.oneof(fitting(field), junk)]),
  );
  return fc.record({ ...fields, surprise: junk }, { requiredKeys: [] });
}

function fitting(schema: TSchema): fc.Arbitrary<unknown> {
  const s = schema as { type?: string; enum?: unknown[]; const?: unknown; anyOf?: TSchema[] };
  if (s.const !== undefined) return fc.constant(s.const);
  if (s.enum) return fc.constantFrom(...s.enum);
  if (s.anyOf) return fc.oneof(...s.anyOf.map(fitting));
  if (s.type === "integer") return fc.integer({ min: 0, max: 50 });
  if (s.type === "number") return fc.integer({ min: 0, max: 5000 }).map((n) => n / 100);
  if (s.type === "boolean") return fc.boolean();
  return fc.constantFrom("CO", "2026-05-02", "quinn@example.net", "4242", "Ames", id);
}

describe("every route of the running services", () => {
  it("answers near-valid input without a server error, and refuses in the contract's format", async () => {
    for (const { method, url, body, query } of routesOf(system)) {
      await fc.assert(
        fc.asyncProperty(
          near(query),
          near(body),
          fc.oneof(
            fc.constant(id),
            fc.string({ unit: "binary", maxLength: 20 }),
            fc.constantFrom("x", "%", ".."),
          ),
          fc.constantFrom(...ROLES),
          async (parameters, payload, segment, as) => {
            const filled = url.replace(/:\w+/g, encodeURIComponent(segment.toWellFormed() || "x"));
            const search = new URLSearchParams(
              Object.entries(parameters).map(([name, value]) => [
                name,
                (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed(),
              ]),
            );
            const answer = await system.call(method as Method, `${filled}?${search}`, {
              as,
              ...(method === "GET" ? {} : { body: payload }),
            });
            const what = `${method} ${url} as ${as}`;
            // The sign-out worked. Sign in again, or all later calls would be refused.
            if (url === SIGN_OUT && answer.statusCode === 200 && as !== "visitor")
              await system.signIn(as);
            expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500);
            expect(answer.statusCode, what).not.toBe(429);
            if (answer.statusCode >= 400) expectRefusal(answer, what);
          },
        ),
        { numRuns: 5 },
      );
    }
  }, 240_000);

  it("refuses an invalid URL", async () => {
    for (const url of [
      "/prod/api/nothing",
      "/prod/api/reports/%E0%A4%A",
      "/prod/api/admin/reports/x/approve",
    ]) {
      for (const method of ["GET", "POST", "DELETE"] as const) {
        expectRefusal(await system.call(method, url, { as: "admin" }), `${method} ${url}`);
      }
    }
  });
});

describe("valid text in every language", () => {
  it("is stored and returned unchanged", async () => {
    const texts = [
      "😀 paid twice",
      "שילם פעמיים",
      "支払い済み",
      "Zoë Ωmega ﷽",
      "a'b\"c\\d <b>e</b>",
    ];
    for (const title of texts) {
      const report = await submit(system, { ...chargeback, title, last_name: title.slice(0, 50) });
      const revealed = await system.call("POST", `/prod/api/admin/reports/${report}/reveal`, {
        body: {},
        as: "admin",
      });
      expect(revealed.json().data).toMatchObject({ title, last_name: title.slice(0, 50).trim() });
    }
  });
});
