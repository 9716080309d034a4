import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";

const system = forFile(() => startSystem());

const NONE = "00000000-0000-4000-8000-000000000000";
const COMMAND = `/prod/api/reports/all?emergency_approve=true&report_id=${NONE}`;
const QUERY = "/prod/api/auth/profile";

/** The statuses with which each service answers an admin's token: 404 and 200 while it is valid. */
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

describe("an access token that was issued before", () => {
  it("is void on both services once its session has ended; other sessions' tokens stay valid", async () => {
    const other = await system.signIn("admin");
    await system.signIn("admin");
    expect(await statuses()).toEqual(good);
    expect((await signOut()).statusCode).toBe(200);
    expect(await statuses()).toEqual(over);
    expect(await statuses(other.token)).toEqual(good);
  });

  it("is void on both services once its account has signed out everywhere", async () => {
    const other = await system.signIn("admin");
    await system.signIn("admin");
    expect((await signOut({ all: true })).statusCode).toBe(200);
    expect([await statuses(), await statuses(other.token)]).toEqual([over, over]);
    await system.signIn("admin");
    expect(await statuses()).toEqual(good);
  });

  it("is void on both services once a refresh token of its session is reused", async () => {
    const refresh = (refreshToken: string) =>
      system.call("POST", "/prod/api/auth/refresh", { body: { refreshToken } });
    const { refreshToken } = await system.signIn("admin");
    expect((await refresh(refreshToken)).statusCode).toBe(200);
    await system.db.query(
      "update command.refresh_token set used_at = used_at - interval '1 minute'",
    );
    expect(await statuses()).toEqual(good);
    expect((await refresh(refreshToken)).statusCode).toBe(401);
    expect(await statuses()).toEqual(over);
  });
});

describe("the list of one's own sessions", () => {
  const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
  const list = async () =>
    (await system.read("/prod/api/auth/sessions", "user")).json().data.sessions;

  it("says from where each was last used, by network and browser, and which one asks", async () => {
    await system.call("DELETE", "/prod/api/auth/sessions", { as: "user" });
    const { refreshToken } = await system.signIn("user");
    await system.signIn("user");
    const body = { refreshToken };
    const headers = { "user-agent": FIREFOX };
    const refreshed = await system.call("POST", "/prod/api/auth/refresh", { body, headers });
    expect(refreshed.statusCode).toBe(200);
    // Refreshing does not say at which position the log has it.
    await expect.poll(async () => (await list())[1].device).toBe("Firefox on Linux");
    const sessions = await list();
    expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([
      true,
      false,
      false,
    ]);
    expect(sessions[1]).toEqual({
      id: expect.any(String),
      started_at: expect.any(String),
      last_used_at: expect.any(String),
      current: false,
      device: "Firefox on Linux",
      network: "127.0.x.x",
    });
    expect(JSON.stringify(await list())).not.toContain("127.0.0.1");
  });

  it("loses a session with its end, whichever way it ends, and shows nobody else's", async () => {
    const [current, other] = await list();
    const theirs = await system.read("/prod/api/auth/sessions", "auditor");
    const ids = theirs.json().data.sessions.map(({ id }: { id: string }) => id);
    expect(ids).not.toContain(other.id);
    await system.call("DELETE", `/prod/api/auth/sessions/${other.id}`, { as: "user" });
    expect((await list()).map(({ id }: { id: string }) => id)).not.toContain(other.id);
    await system.call("DELETE", "/prod/api/auth/sessions", { as: "user" });
    expect(await list()).toMatchObject([{ id: current.id, current: true }]);
  });
});

describe("the audit log", () => {
  it("has a line for the start and the end of a session, with a warning for a stolen one", async () => {
    const { refreshToken } = await system.signIn("auditor");
    const refresh = () => system.call("POST", "/prod/api/auth/refresh", { body: { refreshToken } });
    await refresh();
    await system.db.query(
      "update command.refresh_token set used_at = used_at - interval '1 minute'",
    );
    await refresh();
    await system.signIn("auditor");
    const [{ stream }] = (
      await system.db.query(
        `select stream from event_log.event
         where data->>'cause' = 'refresh_token_reused' order by position desc limit 1`,
      )
    ).rows;
    const search = stream.slice("session-".length);
    const answer = await system.read(`/prod/api/admin/audit-logs?search=${search}`, "auditor");
    expect(answer.json().data.logs).toMatchObject([
      { action: "RefreshSession", resource: stream, status: "warning", user: "Visitor" },
      { action: "SignIn", resource: stream, status: "success", role: "auditor" },
    ]);
  });
});
