import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import type { AuditEntry } from "#contracts/http/audit.ts";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { CANARIES } from "#test-kit/canaries.ts";
import { forFile } from "#test-kit/for-file.ts";
import { countFacets } from "../testing/audit-entries.ts";
import { canarySubmission } from "../testing/canary-report.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
const reportId = randomUUID();
let events: StoredEvent[];

beforeAll(async () => {
  await service.moveTo(5);
  const { user } = service.accounts;
  events = [
    ...(await service.append(streams.report(reportId), [
      { command: "SubmitReport", role: "user", event: canarySubmission("bad_check") },
      {
        command: "ApproveReport",
        role: "admin",
        event: { type: "ReportApproved", data: { from: "pending", verified: false } },
      },
    ])),
    ...(await service.append(streams.security(randomUUID()), [
      {
        command: "RefuseCall",
        role: "user",
        event: {
          type: "CallRefused",
          data: { method: "GET", route: "/x", code: "forbidden", count: 1 },
        },
      },
    ])),
    ...(await service.append(streams.user(user), [
      {
        command: "SignOut",
        role: "system",
        event: { type: "RegistrationAttempted", data: { quiet_until: "2026-11-24T10:00:00.000Z" } },
      },
    ])),
  ];
  const status = ["success", "warning", "failure", "success"];
  for (const [i, event] of events.entries()) await service.addEntry(event, { status: status[i] });
});

const logs = async (query = "", as: "admin" | "auditor" = "auditor") =>
  (await service.get(`/prod/api/admin/audit-logs${query}`, { as })).json().data;
const actions = (entries: AuditEntry[]) => entries.map(({ action }) => action);

describe("GET /prod/api/admin/audit-logs", () => {
  it("shows who did what, newest first, with masked client addresses", async () => {
    const data = await logs();
    expect(data).toMatchObject({ total: 4, page: 1, limit: 25 });
    expect(actions(data.logs)).toEqual(["SignOut", "RefuseCall", "ApproveReport", "SubmitReport"]);
    expect(data.logs[2]).toEqual({
      id: events[1]?.id,
      user: "Dana Ruiz",
      user_id: service.accounts.admin,
      role: "admin",
      action: "ApproveReport",
      resource: `report-${reportId}`,
      ipAddress: "203.0.x.x",
      userAgent: "Firefox on Linux",
      timestamp: "2026-11-21T10:00:00.000Z",
      status: "warning",
    });
    expect(data.logs[0]).toMatchObject({ user: "System", role: "system" });
  });

  it("does not name a reporter's account", async () => {
    const { logs: entries } = await logs("?action=SubmitReport", "admin");
    expect(entries[0]).toMatchObject({ user: "User", role: "user" });
    expect(JSON.stringify(entries)).not.toContain("Uma");
  });

  it.each([
    ["status=warning", ["ApproveReport"]],
    ["status=failure", ["RefuseCall"]],
    ["status=all&limit=1", ["SignOut"]],
    ["action=ApproveReport", ["ApproveReport"]],
    ["action=Approve", []],
    ["search=approve", ["ApproveReport"]],
    ["search=ruiz", ["ApproveReport"]],
    ["search=dana%20approve", ["ApproveReport"]],
    ["search=uma", []],
    ["search=security-", ["RefuseCall"]],
    ["search=system", ["SignOut"]],
    ["search=%25", []],
    ["search=x'%20or%201%3D1", []],
    ["page=2&limit=3", ["SubmitReport"]],
  ])("?%s", async (query, expected) => {
    expect(actions((await logs(`?${query}`)).logs)).toEqual(expected);
  });

  it("finds by a full ID: of an event, an account, a report", async () => {
    expect(actions((await logs(`?search=${events[1]?.id}`)).logs)).toEqual(["ApproveReport"]);
    expect(actions((await logs(`?search=${service.accounts.admin}`)).logs)).toEqual([
      "ApproveReport",
    ]);
    expect((await logs(`?search=${reportId.toUpperCase()}`)).total).toBe(2);
    expect(actions((await logs(`?search=${streams.report(reportId)}`)).logs)).toHaveLength(2);
  });

  it("keeps the entries of an erased person, without client addresses", async () => {
    const erased = randomUUID();
    const [event] = await service.append(streams.report(erased), [
      { command: "SubmitReport", role: "visitor", event: canarySubmission("chargeback") },
    ]);
    if (!event) throw new Error("nothing was appended");
    await service.addEntry(event);
    const entry = async () => (await logs(`?search=${event.id}`)).logs[0];
    expect(await entry()).toMatchObject({ user: "Visitor", ipAddress: "203.0.x.x" });
    await service.keys.destroy([subjects.reporter(erased)], new Date().toISOString());
    expect(await entry()).not.toHaveProperty("ipAddress");

    await service.db.query("delete from keys.subject_key where subject = $1", [
      subjects.reporter(erased),
    ]);
    expect(await entry()).toMatchObject({ user: "Visitor" });
    expect(service.logged.join("")).toContain("the key of an event is missing");
  });

  it.each([
    ["status", "status=maybe"],
    ["page", "page=1000"],
    ["limit", "limit=0"],
    ["user", "user=x"],
  ])("rejects a bad %s (?%s)", async (field, query) => {
    const reply = await service.get(`/prod/api/admin/audit-logs?limit=25&${query}`, {
      as: "auditor",
    });
    if (field === "limit") return expect(reply.statusCode).toBe(400);
    expect([reply.statusCode, Object.keys(reply.json().error.fields)]).toEqual([400, [field]]);
  });
});

describe("/prod/admin/audit-logs (ra-data-simple-rest)", () => {
  const list = (parameters: Record<string, unknown>) => {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    return service.get(`/prod/admin/audit-logs?${query}`, { as: "auditor" });
  };

  it("lists, sorts and filters as the provider requests", async () => {
    const filter = { q: "report", status: "all" };
    const reply = await list({ sort: ["timestamp", "ASC"], range: [0, 0], filter });
    expect(actions(reply.json())).toEqual(["SubmitReport"]);
    expect(reply.headers["content-range"]).toMatch(/^audit-logs 0-0\/[23]$/);
    expect(actions((await list({ filter: { id: [events[1]?.id] } })).json())).toEqual([
      "ApproveReport",
    ]);
  });

  it("returns one entry, and 404 for an unknown event", async () => {
    const one = await service.get(`/prod/admin/audit-logs/${events[1]?.id}`, { as: "auditor" });
    expect(one.json()).toMatchObject({ action: "ApproveReport", user: "Dana Ruiz" });
    const none = await service.get(`/prod/admin/audit-logs/${randomUUID()}`, { as: "auditor" });
    expect(none.statusCode).toBe(404);
  });
});

describe("/prod/admin/audit-logs past the 10,000th entry", () => {
  const MANY = 12_000;
  beforeAll(async () => {
    await service.db.query(
      `insert into audit.entry
       select 'a' || lpad(n::text, 8, '0'), gen_random_uuid(), now(), 'visitor', 'visitor',
         case when n <= 5 then 'AskForLink' else 'SignIn' end, 'SignInFailed', 'security-' || gen_random_uuid(),
         0, 1, 'failure', 'live', null, null, null
       from generate_series(1, $1::int) n`,
      [MANY],
    );
    await countFacets(service.db);
  });
  afterAll(async () => {
    await service.db.query("delete from audit.entry where position like 'a%'");
    await countFacets(service.db);
  });

  const open = async (query: Record<string, unknown>, place = "") => {
    const text = Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]);
    const url = `/prod/admin/audit-logs?${new URLSearchParams(text)}`;
    return service.get(url + (place && `&place=${encodeURIComponent(place)}`), { as: "auditor" });
  };
  const filter = { action: "SignIn" };

  it("reaches pages by a neighboring row, and the last one by offset, with the full total", async () => {
    for (const field of ["timestamp", "action", "status", "role"]) {
      const sort = [field, "DESC"];
      const near = await open({ sort, range: [9_000, 9_999], filter });
      expect(near.headers["content-range"]).toBe(`audit-logs 9000-9999/${MANY - 5}`);
      const next = { sort, range: [10_000, 10_999], filter };
      expect((await open(next)).statusCode).toBe(200);
      const beside = await open(next, `after~${near.headers["list-end"]}`);
      expect(beside.json()).toEqual((await open(next)).json());
      expect(beside.json()[0].id).not.toBe(near.json().at(-1).id);
      const back = { sort, range: [9_000, 9_999], filter };
      expect((await open(back, `before~${beside.headers["list-start"]}`)).json()).toEqual(
        near.json(),
      );
    }
    const first = await open({ sort: ["action", "ASC"], range: [0, 5] });
    expect(first.json().filter(({ action }: AuditEntry) => action === "AskForLink")).toHaveLength(
      5,
    );
  });

  it("rejects an unsupported order, and a cursor from another list", async () => {
    expect((await open({ sort: ["resource", "ASC"] })).json().error.fields).toHaveProperty("sort");
    const { headers } = await open({ sort: ["action", "ASC"] });
    const other = await open({ sort: ["timestamp", "ASC"] });
    const places = [
      [`after~${other.headers["list-end"]}`, "action"],
      ["after~x", "timestamp"],
    ];
    for (const [place, field] of places) {
      const refused = await open({ sort: [field, "ASC"] }, place);
      expect([refused.statusCode, Object.keys(refused.json().error.fields)]).toEqual([
        400,
        ["place"],
      ]);
    }
    const same = await open({ sort: ["action", "ASC"] }, `after~${headers["list-end"]}`);
    expect(same.statusCode).toBe(200);
  });
});

it("keeps personal data out of every entry", async () => {
  const text = JSON.stringify(await logs("?limit=200"));
  for (const canary of [...Object.values(CANARIES), "203.0.113.77", "Mozilla"])
    expect(text).not.toContain(canary);
});
