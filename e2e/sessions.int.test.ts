import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";

const system = forFile(() => startSystem());

const NONE = "00000000-0000-4000-8000-000000000000";
const COMMAND = `/prod/api/reports/all?emergency_approve=true&report_id=${NONE}`;
const QUERY = "/prod/api/auth/profile";

/** Returns the status each service gives an admin's token: 404 and 200 while it is valid. */
async function statuses(token?: string): Promise<{ command: number; query: number }> {
  const options = token
    ? { headers: { authorization: `Bearer ${token}` } }
    : { as: "admin" as const };
  const command = await system.call("GET", COMMAND, options);
  const query = await system.call("GET", QUERY, options);
  return { command: command.statusCode, query: query.statusCode };
}
const good = { command: 404, query: 200 };
const over = { command: 401, query: 401 };

const signOut = (body?: object) =>
  system.call("POST", "/prod/api/auth/logout", { as: "admin", ...(body ? { body } : {}) });

describe("an access token that was already issued", () => {
  it("is rejected by both services once its session ends; other sessions' tokens stay valid", async () => {
    const other = await system.signIn("admin");
    await system.signIn("admin");
    expect(await statuses()).toEqual(good);
    expect((await signOut()).statusCode).toBe(200);
    expect(await statuses()).toEqual(over);
    expect(await statuses(other.token)).toEqual(good);
  });
});
