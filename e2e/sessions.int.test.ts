import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type System, startSystem } from "./support/in-process.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.close());

/** A call of each service that answers an account of role admin, unless its token is void. */
async function statuses(): Promise<{ command: number; query: number }> {
  const command = await system.call("POST", "/prod/api/auth/logout", {
    body: { refreshToken: "x".repeat(43) },
    as: "admin",
  });
  const query = await system.call("GET", "/prod/api/auth/profile", { as: "admin" });
  return { command: command.statusCode, query: query.statusCode };
}

describe("an access token that was given out before", () => {
  it("is void on both services as soon as its account signed out of everything", async () => {
    expect(await statuses()).toEqual({ command: 200, query: 200 });
    await system.call("POST", "/prod/api/auth/logout", { body: {}, as: "admin" });
    expect(await statuses()).toEqual({ command: 401, query: 401 });
    await system.signIn("admin");
    expect(await statuses()).toEqual({ command: 200, query: 200 });
  });

  it("is void on both services as soon as a refresh token of its account came back", async () => {
    const refresh = (refreshToken: string) =>
      system.call("POST", "/prod/api/auth/refresh", { body: { refreshToken } });
    const { refreshToken } = await system.signIn("admin");
    expect((await refresh(refreshToken)).statusCode).toBe(200);
    await system.db.query(
      "update command.refresh_token set used_at = used_at - interval '1 minute'",
    );
    expect(await statuses()).toEqual({ command: 200, query: 200 });
    expect((await refresh(refreshToken)).statusCode).toBe(401);
    expect(await statuses()).toEqual({ command: 401, query: 401 });
  });
});
