import fc from "fast-check";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "#contracts/domain-error.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { SearchQuery, SubmitReport } from "#contracts/http/reports.ts";
import { done } from "./envelope.ts";
import { idempotencyKeyOf } from "./idempotency.ts";
import type { ServiceInstance } from "./service.ts";
import { createTestService } from "./testing/test-service.ts";
import { fieldLabel, pathOf, summarize, validatorCompiler } from "./validation.ts";

const strict = { additionalProperties: false };

function problemsOf(schema: Type.TSchema, body: unknown): Record<string, string> {
  const validate = validatorCompiler({
    schema,
    method: "POST",
    url: "/",
    httpPart: "body",
  }) as (value: unknown) => { error?: DomainError };
  return { ...validate(body).error?.fields };
}

describe("the wording of problems", () => {
  const schema = Type.Object(
    {
      first_name: Type.String({ minLength: 1, maxLength: 3 }),
      last_4: Type.String({ pattern: "^\\d{4}$" }),
      first_6: Type.String({ pattern: "^\\d{6}$" }),
      pin: Type.String({ pattern: "^\\d{4}$" }),
      region: Type.String({ pattern: "^[A-Z]{2,3}$" }),
      country: Type.Enum(["US", "CA"]),
      middle_initial: Type.Union([Type.String({ maxLength: 1 }), Type.Null()]),
      id: Type.String({ format: "uuid" }),
      terms_accepted: Type.Literal(true),
      amount: Type.Number({ minimum: 0, maximum: 9 }),
      chargebacks: Type.Array(Type.Object({ amount: Type.Number() }, strict), { maxItems: 2 }),
      email: Type.Refine(
        Type.String(),
        () => false,
        () => "Please enter a valid email",
      ),
    },
    strict,
  );

  it("names each field in words and says what it must be", () => {
    const body = {
      first_name: "",
      last_4: "12",
      first_6: "12",
      pin: "12",
      region: "co",
      country: "UK",
      middle_initial: "AB",
      id: "1",
      terms_accepted: false,
      amount: -1,
      chargebacks: [{ amount: 1 }, { amount: "1" }],
      email: "x",
    };
    expect(problemsOf(schema, body)).toEqual({
      first_name: "First name must not be empty",
      last_4: "Enter the last 4 digits of the card",
      first_6: "Enter the first 6 digits of the card",
      pin: "Pin must be exactly 4 digits",
      region: "Region must be 2 to 3 capital letters",
      country: "Country must be one of: US, CA",
      middle_initial: "Middle initial must have at most 1 character",
      id: "ID must be a UUID",
      terms_accepted: "Terms accepted must be true",
      amount: "Amount must be at least 0",
      "chargebacks.1.amount": "Amount must be a number, for example 12.50",
      email: "Please enter a valid email",
    });
  });

  it("reports missing, too long, too many and unknown values together", () => {
    const body = {
      first_name: "Dana",
      chargebacks: [{}, { amount: 1, x: 1 }, 3],
      "a/b~c": 1,
      amount: 10,
    };
    expect(problemsOf(schema, body)).toMatchObject({
      last_4: "Last 4 is required",
      email: "Email is required",
      first_name: "First name must have at most 3 characters",
      amount: "Amount must be at most 9",
      chargebacks: "Chargebacks must have at most 2 entries",
      "chargebacks.0.amount": "Amount is required",
      "chargebacks.1.x": "x isn't a field of this request",
      "chargebacks.2": "Chargebacks must be an object",
      "a/b~c": "a/b~c isn't a field of this request",
    });
  });

  it("summarizes in sentences, and says how many more there are", () => {
    expect(summarize({ a: "A is required" })).toBe("A is required.");
    expect(summarize({ a: "A.", b: "B!", c: "A." })).toBe("A. B!");
    const many = Object.fromEntries([..."abcdefg"].map((name) => [name, `${name} is required`]));
    expect(summarize(many)).toMatch(/^a is required\. .* e is required\. And 2 more\.$/);
  });

  it("labels names in every naming style", () => {
    expect(
      ["first_name", "refreshToken", "idempotency-key", "ip_address", "zip", "id", ""].map(
        fieldLabel,
      ),
    ).toEqual([
      "First name",
      "Refresh token",
      "Idempotency key",
      "IP address",
      "ZIP",
      "ID",
      "This field",
    ]);
    expect(pathOf("/a~1b/0/c~0d")).toBe("a/b.0.c~d");
  });
});

describe("a route with the schema of a report", () => {
  let app: ServiceInstance;
  beforeAll(async () => {
    ({ app } = await createTestService());
    app.post(
      "/submit",
      {
        config: { roles: ["visitor"], limit: "submit" },
        schema: { body: SubmitReport, response: { 200: DoneReply } },
      },
      async () => done("ok"),
    );
    await app.ready();
  });
  afterAll(() => app.close());

  async function post(payload: string) {
    const headers = { "content-type": "application/json" };
    return app.inject({ method: "POST", url: "/submit", payload, headers });
  }

  it("answers any body with a 400 in the contract's error format, never with a 5xx", async () => {
    const names = Object.keys(SubmitReport.properties);
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: "binary" }),
      fc.double(),
      fc.bigInt().map(Number),
    );
    const body = fc.oneof(
      fc.json(),
      fc
        .dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value)
        .map((object) => JSON.stringify(object)),
      fc.string({ unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (payload) => {
        const answer = await post(payload);
        expect(answer.statusCode).toBe(400);
        const { success, error } = answer.json();
        expect(success).toBe(false);
        expect(error.message).not.toBe("");
        if (error.code === "invalid_request") expect(error.fields).not.toEqual({});
      }),
      { numRuns: 100 },
    );
  }, 30_000);
});

describe("an amount in a query", () => {
  const validate = validatorCompiler({
    schema: SearchQuery,
    method: "GET",
    url: "/",
    httpPart: "querystring",
  }) as (value: unknown) => { value?: SearchQuery; error?: DomainError };

  it.each([
    ["1,234.50", 1234.5],
    ["1234.5", 1234.5],
  ])("is parsed as in the forms: %s", (min, amount) => {
    expect(validate({ min }).value).toMatchObject({ min: amount });
  });

  it("is rejected with a decimal comma, with a message that shows the right format", () => {
    expect(validate({ min: "12,50" }).error?.fields).toEqual({
      min: "Min must be a number, for example 12.50",
    });
  });

  it("in a body must be a number, not text", () => {
    expect(problemsOf(SubmitReport, { amount: "12.50" })).toMatchObject({
      amount: "Amount must be a number, for example 12.50",
    });
  });
});

describe("headers", () => {
  const epoch = "6f1c2d34-1111-4222-8333-444455556666";

  it("carry an idempotency key of 16 to 128 printable characters", () => {
    expect(idempotencyKeyOf({})).toBeUndefined();
    for (const good of ["a".repeat(16), "a".repeat(128), epoch])
      expect(idempotencyKeyOf({ "idempotency-key": good })).toBe(good);
    for (const bad of [
      "",
      "a".repeat(15),
      "a".repeat(129),
      "with spaces in it all",
      "ä".repeat(20),
    ])
      expect(() => idempotencyKeyOf({ "idempotency-key": bad })).toThrow(DomainError);
  });
});
