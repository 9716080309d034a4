import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isForStaff } from "#http/actor.ts";
import { totpCode } from "#services/command-api/testing/two-factor.fixture.ts";
import { type Method, type System, startSystem } from "./support/in-process.ts";
import { submit } from "./support/reports.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem({ staffSecondFactor: "on" });
});
afterAll(() => system.close());

const code = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code;

/** The commands that staff alone may send. */
const commands = () =>
  system.commandApi.app.routeTable.filter(({ roles }) => isForStaff(roles) && roles.length > 0);
const send = (method: string, url: string, body: object, headers = {}) =>
  system.call(method as Method, url, { as: "admin", body, headers });

/** Switches two-factor sign-in of the admin on. @returns the header of their session. */
async function setUp() {
  const { token } = await system.signIn("admin");
  const call = (path: string, body: object, bearer = token) =>
    system.call("POST", `/prod/api/auth/two-factor/${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
      body,
    });
  const { secret } = (await call("setup", {})).json().data;
  const confirmed = (await call("confirm", { code: totpCode(secret) })).json().data;
  return { authorization: `Bearer ${confirmed.token}` };
}

describe("staff without a second factor", () => {
  it("can send no command that staff alone may send, and are told what to do", async () => {
    const id = await submit(system);
    const before = await system.db.query("select count(*) as n from event_log.event");
    const sent = commands().map(({ method, url }) => `${method} ${url}`);
    for (const each of [
      "POST /prod/api/admin/reports/:id/reveal",
      "POST /prod/api/admin/reports/:id/approve",
      "POST /prod/api/admin/reports/:id/reject",
      "POST /prod/api/admin/reports/:id/status",
      "POST /prod/api/admin/reports/:id/verify",
      "PUT /prod/api/admin/reports/:id",
      "DELETE /prod/api/admin/reports/:id",
      "POST /prod/api/admin/users/:id/two-factor/reset",
      "POST /prod/api/admin/users/:id/two-factor/reset/confirm",
      "POST /prod/api/admin/users/:id/two-factor/reset/object",
      "GET /prod/api/reports/all",
    ])
      expect(sent).toContain(each);
    for (const { method, url } of commands()) {
      const emergency = `?emergency_approve=true&report_id=${id}`;
      const target = method === "GET" ? url + emergency : url.replace(/:\w+/, id);
      const answer = await system.call(method as Method, target, {
        as: "admin",
        ...(method === "GET" ? {} : { body: {} }),
      });
      expect([target, answer.statusCode, code(answer)]).toEqual([
        target,
        403,
        "second_factor_required",
      ]);
      expect(answer.json().error.message).toContain("account settings");
    }
    // A refusal of somebody who is who they say is no event.
    const after = await system.db.query("select count(*) as n from event_log.event");
    expect(after.rows).toEqual(before.rows);
  });

  it("read lists, histories and the audit log all the same", async () => {
    const id = await submit(system);
    await system.read("/prod/api/admin/reports?limit=5", "admin");
    for (const url of [
      "/prod/api/admin/reports?limit=5",
      "/prod/api/reports/all?limit=5",
      `/prod/api/admin/reports/${id}`,
      `/prod/api/admin/reports/${id}/history`,
      "/prod/api/admin/audit-logs",
    ])
      expect([url, (await system.read(url, "admin")).statusCode]).toEqual([url, 200]);
    expect((await system.read("/prod/api/admin/audit-logs", "auditor")).statusCode).toBe(200);
  });

  it("may do what every account may, and learn of a missing right as before", async () => {
    const url = `/prod/api/admin/reports/${randomUUID()}/approve`;
    expect(code(await system.call("POST", url, { as: "user", body: {} }))).toBe("forbidden");
    expect(code(await system.call("POST", url, { as: "auditor", body: {} }))).toBe("forbidden");
    const profile = { company: "Lamps" };
    expect((await send("PUT", "/prod/api/auth/profile", profile)).statusCode).toBe(200);
  });

  it("may decide and open as soon as they have one, and no more once it is off", async () => {
    const headers = await setUp();
    const id = await submit(system);
    const report = `/prod/api/admin/reports/${id}`;
    expect((await send("POST", `${report}/reveal`, {}, headers)).statusCode).toBe(200);
    expect((await send("POST", `${report}/approve`, {}, headers)).statusCode).toBe(200);
    expect((await send("PUT", report, { city: "Boulder" }, headers)).statusCode).toBe(200);
    const off = await send("DELETE", "/prod/api/auth/two-factor", {}, headers);
    const { token } = off.json().data;
    const later = { authorization: `Bearer ${token}` };
    const refused = await send("POST", `${report}/status`, { status: "pending" }, later);
    expect(code(refused)).toBe("second_factor_required");
  });
});
