import { afterAll, beforeAll, expect, it } from "vitest";
import { SECRET_FIELD } from "#vault/sealing/command-id.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

const EMAIL = "dana@registry.example";
const PASSWORD = "Correct-horse-9";

/** Names of the properties of a JSON schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === "properties" ? Object.keys(inner) : []),
    ...fieldsOf(inner),
  ]);
}

/** Routes whose body holds a secret, each with a call that succeeds. */
const calls: Record<string, () => Promise<{ body?: object; as?: "admin" }>> = {
  "post /prod/api/auth/login": async () => ({ body: { email: EMAIL, password: PASSWORD } }),
  "post /prod/api/auth/refresh": async () => ({
    body: { refreshToken: await refreshToken() },
  }),
  "post /prod/api/auth/logout": async () => ({
    body: { refreshToken: await refreshToken() },
    as: "admin",
  }),
};

async function refreshToken(): Promise<string> {
  const answer = await fixture.call("POST", "/prod/api/auth/login", {
    body: { email: EMAIL, password: PASSWORD },
  });
  return answer.json().data.refreshToken;
}

it("no command with a password, a code or a token in its body has its MAC in the log", async () => {
  const { paths = {} } = JSON.parse(JSON.stringify(fixture.api.app.swagger()));
  const secret = Object.entries<Record<string, { requestBody?: unknown }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { requestBody }]) => fieldsOf(requestBody).some((f) => SECRET_FIELD.test(f)))
        .map(([method]) => `${method} ${path}`),
  );
  expect(secret.toSorted(), "each such route needs a call here").toEqual(
    Object.keys(calls).toSorted(),
  );
  for (const [route, call] of Object.entries(calls)) {
    const [, url = ""] = route.split(" ");
    const options = { ...(await call()), key: `key-of-${url.replaceAll("/", "-")}` };
    const answer = await fixture.call("POST", url, options);
    expect(answer.statusCode, `${route}: ${answer.body}`).toBe(200);
  }
});
