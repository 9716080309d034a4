import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { totpCode } from "#services/command-api/testing/two-factor.fixture.ts";
import { forFile } from "#test-kit/for-file.ts";
import { type Method, startSystem } from "./support/in-process.ts";
import { submit } from "./support/reports.ts";

const system = forFile(() => startSystem({ staffSecondFactor: "on" }));

const json = { "content-type": "application/json" };
const EVENTS = "select count(*) as n from event_log.event where type <> 'CallRefused'";
const code = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code;

/** Role by route by factor: the rows of docs/routes.md. */
const table = readFileSync(new URL("../docs/routes.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => /^\| (?:command|query)-api /.test(line))
  .flatMap((line) => {
    const [service, who = "", asked = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    const markOf = (role: string) => {
      if (who !== "everyone" && !who.split(", ").includes(role)) return "";
      return asked.split(", ").includes("2FA") ? "2FA" : "yes";
    };
    return [...line.matchAll(/`(\w+) ([^\s`]+)`/g)].map(([, method, url = ""]) => ({
      method: method as Method,
      url,
      service,
      admin: markOf("admin"),
      auditor: markOf("auditor"),
    }));
  });
const send = (method: string, url: string, body: object, headers = {}) =>
  system.call(method as Method, url, { as: "admin", body, headers });

/** Sets up the admin's two-factor authentication. @returns their session's header, and a recovery code. */
async function setUp() {
  const { token } = await system.signIn("admin");
  const call = (path: string, body: object, bearer = token) =>
    system.call("POST", `/prod/api/auth/two-factor/${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
      body,
    });
  const { secret } = (await call("setup", {})).json().data;
  const confirmed = (await call("confirm", { code: totpCode(secret) })).json().data;
  const headers = { authorization: `Bearer ${confirmed.token}` };
  return { headers, code: String(confirmed.recovery_codes[0]) };
}

describe("staff without a second factor", () => {
  it("are refused every route that is for staff alone, on both services, and no other", async () => {
    const apps = { "query-api": system.queryApi.app, "command-api": system.commandApi.app };
    const tokens = {
      admin: (await system.signIn("admin")).token,
      auditor: (await system.signIn("auditor")).token,
    };
    const before = await system.db.query(EVENTS);
    const wrong: string[] = [];
    for (const { method, url, service, ...marks } of table)
      for (const role of ["admin", "auditor"] as const) {
        if (marks[role] === "" || marks[role] === undefined) continue;
        const needed = marks[role] === "2FA";
        // Some commands of every account end its session; the tests below send a few of the others.
        if (!needed && method !== "GET") continue;
        const answer = await apps[service as keyof typeof apps].inject({
          method,
          url: url.replace(/:\w+/g, randomUUID()),
          headers: { authorization: `Bearer ${tokens[role]}`, ...(method === "GET" ? {} : json) },
          ...(method === "GET" ? {} : { payload: "{}" }),
        });
        const isRefused = answer.statusCode === 403 && code(answer) === "second_factor_required";
        if (isRefused !== needed)
          wrong.push(`${service} ${method} ${url} as ${role}: ${answer.body}`);
      }
    expect(wrong).toEqual([]);
    expect(table.filter(({ admin }) => admin === "2FA").length).toBeGreaterThan(100);
    // Except for refused calls, which are counted.
    const after = await system.db.query(EVENTS);
    expect(after.rows).toEqual(before.rows);
  });

  it("are refused the emergency calls, and told what to do", async () => {
    const id = await submit(system);
    const url = `/prod/api/reports/all?emergency_approve=true&report_id=${id}`;
    const refused = await system.call("GET", url, { as: "admin" });
    expect([refused.statusCode, code(refused)]).toEqual([403, "second_factor_required"]);
    expect(refused.json().error.message).toContain("account settings");
  });

  it("can't search by email address or phone, as other staff can", async () => {
    const url = `/prod/api/reports/search?q=${encodeURIComponent("quinn@example.net")}`;
    for (const role of ["admin", "auditor"] as const)
      expect(code(await system.call("GET", url, { as: role }))).toBe("second_factor_required");
    expect(
      (await system.call("GET", url.replace(/q=.*/, "q=Ames"), { as: "admin" })).statusCode,
    ).toBe(200);
  });

  it("may do what every account may, and are still told when they lack a right", async () => {
    const url = `/prod/api/admin/reports/${randomUUID()}/approve`;
    expect(code(await system.call("POST", url, { as: "user", body: {} }))).toBe("forbidden");
    expect(code(await system.call("POST", url, { as: "auditor", body: {} }))).toBe("forbidden");
    const profile = { company: "Lamps" };
    expect((await send("PUT", "/prod/api/auth/profile", profile)).statusCode).toBe(200);
  });

  it("may decide and reveal as soon as they set one up, until it is turned off", async () => {
    const { headers, code: recovery } = await setUp();
    const id = await submit(system);
    const report = `/prod/api/admin/reports/${id}`;
    expect((await send("POST", `${report}/reveal`, {}, headers)).statusCode).toBe(200);
    expect((await send("POST", `${report}/approve`, {}, headers)).statusCode).toBe(200);
    expect((await send("PUT", report, { city: "Boulder" }, headers)).statusCode).toBe(200);
    const off = await send("DELETE", "/prod/api/auth/two-factor", { code: recovery }, headers);
    const { token } = off.json().data;
    const later = { authorization: `Bearer ${token}` };
    const refused = await send("POST", `${report}/status`, { status: "pending" }, later);
    expect(code(refused)).toBe("second_factor_required");
  });
});
