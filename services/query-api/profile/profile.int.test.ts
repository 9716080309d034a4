import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { at, NOTIFICATIONS, startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());

const set = (id: string, columns: Record<string, unknown>) =>
  service.db.query(
    `update accounts.account set ${Object.keys(columns).map((name, i) => `${name} = $${i + 2}`)}
     where id = $1`,
    [id, ...Object.values(columns)],
  );
const profile = (as: "visitor" | "user" | "admin" | "auditor") =>
  service.get("/prod/api/auth/profile", { as });

it.each(["user", "admin", "auditor"] as const)(
  "an account with the role %s reads its own profile",
  async (role) => {
    const reply = await profile(role);
    const names = { user: "Uma", admin: "Dana", auditor: "Ari" };
    expect(reply.json()).toEqual({
      success: true,
      data: {
        user: {
          id: service.accounts[role],
          first_name: names[role],
          last_name: "Ruiz",
          email: `${role}@registry.example`,
          role,
          confirmed: true,
          two_factor: false,
          preferences: NOTIFICATIONS,
          created_at: "2026-01-02T03:04:05.678Z",
          reports_count: 0,
          in_good_standing: false,
        },
      },
    });
    expect(reply.headers["cache-control"]).toBe("no-store");
  },
);

it("shows the account's details, and when it last signed in", async () => {
  const id = service.accounts.user;
  const told = { phone: "+1 303 555 0142", company: "Lamps", website: "https://lamps.example" };
  const more = { job_title: "Owner", bio: "Sells lamps" };
  const edited = { event_id: randomUUID(), event_type: "ProfileEdited", schema_version: 1 };
  const account = await service.sealForAccount(id, edited, { first_name: "U.", ...told, ...more });
  await set(id, {
    profile: JSON.stringify({ ...edited, account }),
    two_factor: true,
    recovery_codes_left: 3,
    last_sign_in_at: "2026-11-21T09:00:00.000Z",
    notifications: JSON.stringify({ ...NOTIFICATIONS, decisions: false }),
  });
  expect((await profile("user")).json().data.user).toMatchObject({
    ...told,
    ...more,
    first_name: "U.",
    last_name: "",
    email: "user@registry.example",
    two_factor: true,
    recovery_codes_left: 3,
    preferences: { ...NOTIFICATIONS, decisions: false },
    last_login: "2026-11-21T09:00:00.000Z",
  });
});

it("shows an email address awaiting confirmation, as long as its link works", async () => {
  const id = service.accounts.admin;
  const wanted = async () => (await profile("admin")).json().data.user.email_change;
  expect(await wanted()).toBeUndefined();
  const asked = { event_id: randomUUID(), event_type: "EmailChangeRequested", schema_version: 1 };
  const account = await service.sealForAccount(id, asked, { email: "dana@other.example" });
  const [later, before] = ["2999-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
  await set(id, { wanted: JSON.stringify({ ...asked, account }), wanted_until: later });
  expect(await wanted()).toEqual({ email: "dana@other.example", expires_at: later });
  await set(id, { wanted_until: before });
  expect(await wanted()).toBeUndefined();
  await set(id, { wanted: null, wanted_until: null });
});

it("shows which emails an account gets, and whether its address is confirmed", async () => {
  const read = async (as: "admin" | "auditor") =>
    (await service.get("/prod/api/auth/preferences", { as })).json().data;
  expect(await read("admin")).toEqual({ preferences: NOTIFICATIONS, confirmed: true });
  await set(service.accounts.auditor, {
    confirmed: false,
    notifications: JSON.stringify({ ...NOTIFICATIONS, decisions: false }),
  });
  expect(await read("auditor")).toEqual({
    preferences: { ...NOTIFICATIONS, decisions: false },
    confirmed: false,
  });
});

it("counts the account's own reports, excluding those from before everything was dropped", async () => {
  const { user: owner_id, admin } = service.accounts;
  const count = async () => (await profile("user")).json().data.user.reports_count;
  await service.addReport({ owner_id: admin, owned_since: at(1) });
  await service.addReport({ owner_id, owned_since: at(2) });
  await service.addReport({ owner_id, owned_since: at(4), status: "rejected" });
  await service.addReport();
  expect(await count()).toBe(2);
  await set(owner_id, { owns_after: at(3) });
  expect(await count()).toBe(1);
});

it("is stale while events of the account are parked", async () => {
  const stream = `user-${service.accounts.user}`;
  await service.moveTo(1);
  await service.db.query(
    "insert into processor.parked_stream (processor, stream, position) values ('accounts', $1, $2)",
    [stream, at(1)],
  );
  expect((await profile("user")).headers["x-stale"]).toBe("true");
  expect((await profile("admin")).headers["x-stale"]).toBeUndefined();
  await service.db.query("delete from processor.parked_stream");
});

it("an account without its key has neither name nor address", async () => {
  const key = subjects.account(service.accounts.auditor);
  await service.keys.destroy([key], new Date().toISOString());
  expect((await profile("auditor")).json().data.user).toMatchObject({
    first_name: "",
    last_name: "",
    email: "",
  });
});

it("is unavailable before the projector has processed the account", async () => {
  await service.db.query("delete from accounts.account where id = $1", [service.accounts.admin]);
  expect((await profile("admin")).statusCode).toBe(503);
});
