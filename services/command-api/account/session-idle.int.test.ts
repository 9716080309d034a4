import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { sessionCalls, sidOf } from "../testing/sessions.fixture.ts";

const fixture = forFile(() => startCommandApi({ limits: "on", trustProxyHops: 1 }));
const { login, refreshOver, typesOf, eventsOf } = sessionCalls(() => fixture);

const activity = (token: string) =>
  fixture.call("POST", "/prod/api/auth/activity", { body: {}, token });
const age = (token: string, minutes: number) =>
  fixture.db.query(
    "update command.session set active_at = active_at - $2 * interval '1 minute' where id = $1",
    [sidOf(token), minutes],
  );
const makeUser = (id: string, role: "user" | "admin") =>
  fixture.db.query("update command.account set role = $2 where id = $1", [id, role]);

describe("a staff session", () => {
  it("is refused after half an hour without use, and so is its refresh, which ends it", async () => {
    const { token, refreshToken } = await login();
    await age(token, 29);
    expect((await activity(token)).json().data).toEqual({ idle_minutes: 30 });
    // That counted as a use, so the time starts over.
    await age(token, 29);
    expect((await activity(token)).statusCode).toBe(200);
    await age(token, 30);
    const refused = await activity(token);
    expect(refusal(refused)).toEqual([401, "invalid_token"]);
    expect((await refreshOver(refreshToken)).statusCode).toBe(401);
    expect((await typesOf(sidOf(token))).at(-1)).toBe("SessionEnded");
    expect((await eventsOf(sidOf(token))).at(-1)?.data).toEqual({ cause: "idle" });
    // It cannot be revived.
    await age(token, -60);
    expect((await activity(token)).statusCode).toBe(401);
  });

  it("is not kept alive by a refresh", async () => {
    const { token, refreshToken } = await login();
    await age(token, 29);
    const renewed = (await refreshOver(refreshToken)).json().data;
    await age(token, 1);
    expect((await activity(renewed.token)).statusCode).toBe(401);
  });

  it("is ended by the sweep, while other accounts keep their fourteen days", async () => {
    const [mine, users] = [await login(), await login()];
    const ended = async (token: string) =>
      (await fixture.db.query("select ended_at from command.session where id = $1", [sidOf(token)]))
        .rows[0].ended_at !== null;
    await fixture.db.query("update command.session set active_at = now() where id = $1", [
      sidOf(mine.token),
    ]);
    await age(users.token, 60);
    await makeUser(users.user.id, "user");
    try {
      expect((await activity(users.token)).json().data).toEqual({});
      await fixture.api.sessions.sweep(Date.now());
      expect([await ended(mine.token), await ended(users.token)]).toEqual([false, false]);
    } finally {
      await makeUser(users.user.id, "admin");
    }
    await fixture.api.sessions.sweep(Date.now());
    expect([await ended(mine.token), await ended(users.token)]).toEqual([false, true]);
  });
});
