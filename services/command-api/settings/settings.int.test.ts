import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAINTENANCE_SENTENCE } from "#contracts/settings/catalogue.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { CommandApi } from "../composition.ts";
import { atMost, readFile } from "../evidence/file-bodies.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { submit as submitReport } from "../testing/reports.fixture.ts";

const URL = "/prod/api/system/settings";
const soon = { timeout: 10_000, interval: 20 };

const fixture = forFile(() => startCommandApi());
let other: CommandApi;
beforeAll(async () => {
  other = await fixture.another();
  await other.start();
});
beforeEach(() => save({ maintenanceMode: false, maintenanceMessage: "", maintenanceUntil: "" }));

const put = (body: object, as: "user" | "admin" | "auditor" = "admin", key?: string) =>
  fixture.call("PUT", URL, { as, body, ...(key ? { key } : {}) });

async function save(body: object) {
  const reply = await put(body);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json().data;
}
/** Sends a request to the other process, as a visitor unless a role is given. */
const elsewhere = (
  method: "POST" | "PUT" | "DELETE",
  url: string,
  body: object = {},
  as?: "user" | "admin",
) =>
  other.app.inject({
    method,
    url,
    payload: body,
    headers: as ? { authorization: `Bearer ${fixture.tokens[as]}` } : {},
  });
const submit = () => elsewhere("POST", "/prod/api/reports/submit", chargeback);

describe("the settings", () => {
  it("can be changed by admins with a recent password check, with the specified message", async () => {
    const reply = await put({ emailNotifications: false });
    expect(reply.json()).toMatchObject({
      success: true,
      message: "Settings saved successfully",
      data: { emailNotifications: false, debugMode: false, revision: expect.any(Number) },
    });
    await fixture.db.query("update command.session set proved_at = now() - interval '16 minutes'");
    const late = await put({ debugMode: true });
    expect(refusal(late)).toEqual([403, "proof_required"]);
    await fixture.db.query("update command.session set proved_at = now()");
    await save({ emailNotifications: true });
  });

  it("are stored with their text sealed, and once per Idempotency-Key", async () => {
    const key = randomUUID();
    const body = { maintenanceMessage: "Canary message" };
    const [one, again] = [await put(body, "admin", key), await put(body, "admin", key)];
    expect([one.statusCode, again.json().data.revision]).toEqual([200, one.json().data.revision]);
    const other = await put({ maintenanceMessage: "Another" }, "admin", key);
    expect(other.statusCode).toBe(422);
    const { rows } = await fixture.db.query(
      "select data::text from event_log.event where stream = 'settings'",
    );
    expect(JSON.stringify(rows)).not.toContain("Canary");
  });
});

describe("maintenance", () => {
  it("refuses writes by visitors and users, in other processes too, until it ends", async () => {
    await save({ maintenanceMode: true });
    await expect.poll(async () => (await submit()).statusCode, soon).toBe(503);
    const reply = await submit();
    expect(reply.json()).toEqual({
      success: false,
      error: { code: "maintenance", message: MAINTENANCE_SENTENCE },
    });
    expect(reply.headers["retry-after"]).toBe("600");
    for (const [method, url, as] of [
      ["POST", "/prod/api/auth/register", undefined],
      ["POST", "/prod/api/auth/forgot-password", undefined],
      ["PUT", "/prod/api/auth/profile", "user"],
      ["DELETE", "/prod/api/auth/account", "user"],
      ["POST", "/prod/api/uploads", undefined],
      ["POST", "/prod/api/enterprise/contact", undefined],
    ] as const) {
      const refused = await elsewhere(method, url, {}, as);
      expect(refused.statusCode, `${method} ${url}`).toBe(503);
      expect(refused.json().error.code).toBe("maintenance");
    }
    // An unknown route stays a 404, and does not mention maintenance.
    expect((await elsewhere("POST", "/prod/api/nothing")).statusCode).toBe(404);
    await save({ maintenanceMode: false });
    await expect.poll(async () => (await submit()).statusCode, soon).toBe(200);
  });

  it("lets people sign in, refresh, sign out and unsubscribe, and lets staff work", async () => {
    await save({ maintenanceMode: true });
    await expect.poll(async () => (await submit()).statusCode, soon).toBe(503);
    const login = await elsewhere("POST", "/prod/api/auth/login", {
      email: "user@registry.example",
      password: "Correct-horse-9",
    });
    expect(login.statusCode, login.body).toBe(200);
    const { refreshToken } = login.json().data;
    const refreshed = await elsewhere("POST", "/prod/api/auth/refresh", { refreshToken });
    expect(refreshed.statusCode, refreshed.body).toBe(200);
    const left = await other.app.inject({
      method: "POST",
      url: "/prod/api/auth/logout",
      headers: { authorization: `Bearer ${refreshed.json().data.token}` },
    });
    expect(left.statusCode, left.body).toBe(200);
    for (const [url, body] of [
      ["/prod/api/auth/login/two-factor", { challenge: "x", code: "123456" }],
      ["/prod/api/auth/sign-in-link/x", {}],
      ["/prod/api/unsubscribe/x", {}],
    ] as const)
      expect((await elsewhere("POST", url, body)).statusCode, url).not.toBe(503);
    const profile = await elsewhere("PUT", "/prod/api/auth/profile", { company: "Staff" }, "admin");
    expect(profile.statusCode, profile.body).toBe(200);
    await save({ maintenanceMode: false });
  });

  it("shows its own message, and when to retry", async () => {
    const inAMinute = new Date(Date.now() + 60_000).toISOString();
    await save({
      maintenanceMode: true,
      maintenanceMessage: "Moving house",
      maintenanceUntil: inAMinute,
    });
    await expect
      .poll(async () => (await submit()).json().error?.message, soon)
      .toBe("Moving house");
    const seconds = Number((await submit()).headers["retry-after"]);
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(seconds).toBeLessThanOrEqual(60);
  });
});

it("refuses files above the configured size, in other processes too, and states the limit", async () => {
  const file = Buffer.alloc(2 * 1024 * 1024, "%PDF-1.4 ");
  const upload = async () => {
    const { statusCode, body } = await other.app.inject({
      method: "POST",
      url: "/prod/api/uploads",
      headers: { "content-type": "application/octet-stream" },
      payload: file,
    });
    return { statusCode, message: JSON.parse(body).error?.message };
  };
  await save({ maxFileSize: 1 });
  const refused = {
    statusCode: 413,
    message: "This file is too large. The limit is 1 MB.",
  };
  await expect.poll(upload, soon).toEqual(refused);
  // A file of undeclared size is counted as it arrives.
  const chunks = async function* () {
    yield file;
  };
  await expect(readFile(atMost(chunks(), file.length - 1))).rejects.toThrow("too large");
  for (const maxFileSize of [0, 11, 2.5]) {
    const reply = await put({ maxFileSize });
    expect([reply.statusCode, Object.keys(reply.json().error.fields)]).toEqual([
      400,
      ["maxFileSize"],
    ]);
  }
  await save({ maxFileSize: 10 });
  // The file is not a readable document, but no longer too large.
  await expect.poll(async () => (await upload()).statusCode, soon).not.toBe(413);
});

describe("the settings of the Settings page", () => {
  const rejected = async (body: object) => {
    const id = await submitReport(fixture);
    return other.app.inject({
      method: "POST",
      url: `/prod/api/admin/reports/${id}/reject`,
      payload: body,
      headers: { authorization: `Bearer ${fixture.tokens.admin}` },
    });
  };

  it("offer only the remaining reasons for rejection, in other processes too", async () => {
    await save({ rejectReasonsOff: ["duplicate"] });
    const refused = async () => {
      const { statusCode, body } = await rejected({ reason_code: "duplicate" });
      return [statusCode, Object.keys(JSON.parse(body).error?.fields ?? {})];
    };
    await expect.poll(refused, soon).toEqual([400, ["reason_code"]]);
    expect((await rejected({ reason_code: "abusive" })).statusCode).toBe(200);
    expect((await rejected({ reason_code: "other", reason: "Words" })).statusCode).toBe(200);
    await save({ rejectReasonsOff: [] });
    await expect
      .poll(async () => (await rejected({ reason_code: "duplicate" })).statusCode, soon)
      .toBe(200);
  });

  it("can require a second factor of staff in every process, once the admin has one", async () => {
    const refused = await put({ staffSecondFactor: "on" });
    expect(refusal(refused)).toEqual([403, "second_factor_required"]);
    // As if it had been set up: the rule only checks whether the account has one.
    const factor = (id: string | null) =>
      fixture.db.query("update command.account set factor_id = $1 where role = 'admin'", [id]);
    await factor(randomUUID());
    await save({ staffSecondFactor: "on" });
    await factor(null);
    const code = async () => (await rejected({ reason_code: "abusive" })).json().error?.code;
    await expect.poll(code, soon).toBe("second_factor_required");
    // Someone without a second factor cannot lift the rule.
    expect((await put({ staffSecondFactor: "off" })).json().error.code).toBe(
      "second_factor_required",
    );
    await factor(randomUUID());
    await save({ staffSecondFactor: "installed" });
    await factor(null);
    await expect.poll(code, soon).toBeUndefined();
  });
});

it("maintenance applies before a new process serves its first request", async () => {
  await save({ maintenanceMode: true });
  const third = await fixture.another();
  const { statusCode } = await third.app.inject({
    method: "POST",
    url: "/prod/api/reports/submit",
    payload: chargeback,
  });
  expect(statusCode).toBe(503);
});
