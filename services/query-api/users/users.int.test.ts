import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ADMIN_USERS, type ListedUser } from "#contracts/http/users.ts";
import { subjects } from "#contracts/sealed.ts";
import { ownAddress } from "#search/matching.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createBlindIndexer, failedSignInIndex } from "#vault/sealing/hashes.ts";
import { seal } from "#vault/sealing/seal.ts";
import { at, startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());

const list = async (query = "") =>
  (await service.get(`${ADMIN_USERS}?${query}`, { as: "admin" })).json().data;
const namesOf = (users: readonly ListedUser[]) => users.map(({ first_name }) => first_name);
/** A search term that only one test's users match. */
const mark = () => `Q${randomUUID().slice(0, 8)}`;

describe("the list of users", () => {
  it("shows ten at a time, newest first, with masks", async () => {
    const last_name = mark();
    for (let n = 10; n < 22; n += 1)
      await service.addUser({
        first_name: `N${n}`,
        last_name,
        created_at: `2026-02-${n}T00:00:00Z`,
        last_sign_in_at: "2026-11-21T09:00:00.000Z",
      });
    const first = await list(`search=${last_name}`);
    expect(first).toMatchObject({ total: 12, page: 1, limit: 10 });
    expect(namesOf(first.users)).toEqual(
      ["21", "20", "19", "18", "17", "16", "15", "14", "13", "12"].map((n) => `N${n}`),
    );
    expect(first.users[0]).toEqual({
      id: expect.any(String),
      first_name: "N21",
      last_name,
      email: "u***@***",
      role: "user",
      status: "active",
      reports_count: 0,
      created_at: "2026-02-21T00:00:00.000Z",
      reopenable: false,
      waiting: false,
      last_login: "2026-11-21T09:00:00.000Z",
      revision: 0,
    });
    expect(namesOf((await list(`search=${last_name}&page=2`)).users)).toEqual(["N11", "N10"]);
    expect((await list(`search=${last_name}&limit=5`)).users).toHaveLength(5);
    const tooMany = await service.get(`${ADMIN_USERS}?limit=26`, { as: "admin" });
    expect(tooMany.statusCode).toBe(400);
  });

  it("finds users whose names contain every word, in any order and case", async () => {
    const last_name = mark();
    const found = async (search: string) =>
      namesOf((await list(`search=${encodeURIComponent(search)}`)).users);
    await service.addUser({ first_name: "Zoë_Ann", last_name });
    await service.addUser({ first_name: "Bob", last_name });
    expect(await found(`${last_name.toLowerCase()} zo`)).toEqual(["Zoë_Ann"]);
    expect(await found(`ob ${last_name.slice(2)}`)).toEqual(["Bob"]);
    // Pattern characters match literally.
    expect(await found(`_ ${last_name}`)).toEqual(["Zoë_Ann"]);
    expect(await found(`% ${last_name}`)).toEqual([]);
  });

  it("finds a full email address, but no part of one", async () => {
    const blind = createBlindIndexer(await service.keys.serviceKey("blind-index"));
    const email = `${mark()}@shop.example`;
    const email_blind = blind("reporter_email", ownAddress(email));
    const id = await service.addUser({ email_blind, email: "q***@***" });
    const found = async (search: string) =>
      (await list(`search=${encodeURIComponent(search)}`)).users.map((user: ListedUser) => user.id);
    expect(await found(` ${email.toUpperCase()} `)).toEqual([id]);
    expect(await found(email.slice(1))).toEqual([]);
    expect(await found(email.split("@")[0] ?? "")).toEqual([]);
    expect(await found("shop.example")).toEqual([]);
  });

  it("filters by status and role", async () => {
    const last_name = mark();
    const ban = { at: "2026-11-21T09:00:00.000Z", by: "system", until: null, said: {} };
    await service.addUser({ first_name: "Pen", last_name, status: "pending", confirmed: false });
    await service.addUser({
      first_name: "Ban",
      last_name,
      status: "banned",
      ban: JSON.stringify(ban),
    });
    await service.addUser({
      first_name: "Off",
      last_name,
      status: "deactivated",
      closed_by: "staff",
    });
    await service.addUser({ first_name: "Act", last_name, role: "admin" });
    const found = async (query: string) =>
      namesOf((await list(`search=${last_name}&${query}`)).users).toSorted();
    expect(await found("status=pending")).toEqual(["Pen"]);
    expect(await found("status=banned")).toEqual(["Ban"]);
    expect(await found("status=deactivated")).toEqual(["Off"]);
    expect(await found("status=active")).toEqual(["Act"]);
    expect(await found("status=active&role=user")).toEqual([]);
    expect(await found("role=admin")).toEqual(["Act"]);
    expect(await found("status=all&role=all")).toEqual(["Act", "Ban", "Off", "Pen"]);
    const unknown = await service.get(`${ADMIN_USERS}?status=gone`, { as: "admin" });
    expect(unknown.statusCode).toBe(400);
  });

  it("counts only the account's own reports", async () => {
    const last_name = mark();
    const id = await service.addUser({ last_name, owns_after: at(50) });
    for (const owned_since of [at(40), at(60), at(61)])
      await service.addReport({ owner_id: id, owned_since });
    await service.addReport({ owner_id: randomUUID(), owned_since: at(60) });
    expect((await list(`search=${last_name}`)).users).toMatchObject([{ reports_count: 2 }]);
    const page = await service.get(`${ADMIN_USERS}/${id}`, { as: "admin" });
    expect(page.json().data.reports).toHaveLength(2);
  });

  it("is the same in the console's dialect, sorted as requested", async () => {
    const last_name = mark();
    for (const [first_name, signedIn] of [
      ["One", null],
      ["Two", "2026-11-20T00:00:00.000Z"],
      ["Tre", "2026-11-21T00:00:00.000Z"],
    ])
      await service.addUser({ first_name, last_name, last_sign_in_at: signedIn });
    const filter = encodeURIComponent(JSON.stringify({ q: last_name, status: "all" }));
    const sort = encodeURIComponent('["last_login","DESC"]');
    const url = `/prod/admin/users?filter=${filter}&sort=${sort}&range=[0,1]`;
    const reply = await service.get(url, { as: "admin" });
    expect(namesOf(reply.json())).toEqual(["Tre", "Two"]);
    expect(reply.headers["content-range"]).toBe("users 0-1/3");
  });

  it("pages in both directions despite concurrent changes", async () => {
    const last_name = mark();
    const filter = encodeURIComponent(JSON.stringify({ q: last_name }));
    // Equal times, and none at all.
    for (const [n, last_sign_in_at] of ["21", "21", "20", "20", "", "", ""].entries())
      await service.addUser({
        first_name: `N${n}`,
        last_name,
        last_sign_in_at: last_sign_in_at ? `2026-11-${last_sign_in_at}T00:00:00.000Z` : null,
        created_at: `2026-02-01T00:00:00Z`,
      });
    const open = async (sort: readonly string[], range: string, place = "") => {
      const url = `/prod/admin/users?filter=${filter}&sort=${encodeURIComponent(JSON.stringify(sort))}&range=${range}`;
      const reply = await service.get(url + (place && `&place=${encodeURIComponent(place)}`), {
        as: "admin",
      });
      expect(reply.statusCode).toBe(200);
      const { "list-start": start, "list-end": end, "content-range": said } = reply.headers;
      return { names: namesOf(reply.json()), start, end, said };
    };
    for (const field of ["last_login", "last_name", "created_at", "id"])
      for (const order of ["ASC", "DESC"]) {
        const sort = [field, order];
        const all = (await open(sort, "[0,6]")).names;
        expect(new Set(all).size).toBe(7);
        if (field === "last_login")
          expect(all.slice(order === "ASC" ? 0 : 4, order === "ASC" ? 3 : 7).toSorted()).toEqual([
            "N4",
            "N5",
            "N6",
          ]);
        const one = await open(sort, "[0,2]");
        const two = await open(sort, "[3,5]", `after~${one.end}`);
        const three = await open(sort, "[6,8]", `after~${two.end}`);
        expect([...one.names, ...two.names, ...three.names]).toEqual(all);
        expect(three.said).toBe("users 6-6/7");
        const back = await open(sort, "[3,5]", `before~${three.start}`);
        expect(back.names).toEqual(two.names);
      }
    const sort = ["last_login", "DESC"];
    const one = await open(sort, "[0,2]");
    const two = await open(sort, "[3,5]", `after~${one.end}`);
    await service.addUser({
      first_name: "New",
      last_name,
      last_sign_in_at: "2026-11-22T00:00:00.000Z",
    });
    await service.db.query("delete from users.user where last_name = $1 and first_name = $2", [
      last_name,
      one.names.at(-1),
    ]);
    expect((await open(sort, "[3,5]", `after~${one.end}`)).names).toEqual(two.names);
    for (const place of [
      "x",
      "after~",
      "after~%5B1%5D",
      'after~["users created_at","now","x"]',
      "before~%",
      ...["2026-99-99", "2026-02-30", "0000-01-01", "+012026-01-01"].map(
        (day) => `after~["users created_at","${day}T00:00:00.000Z","${randomUUID()}"]`,
      ),
    ]) {
      const url = `/prod/admin/users?place=${encodeURIComponent(place)}`;
      const reply = await service.get(url, { as: "admin" });
      expect([reply.statusCode, Object.keys(reply.json().error.fields ?? {})]).toEqual([
        400,
        ["place"],
      ]);
    }
  });
});

describe("a user's page", () => {
  it("shows why and until when it is banned, and by whom", async () => {
    const part = { event_id: randomUUID(), event_type: "AccountBanned", schema_version: 1 };
    const id = service.accounts.user;
    const account = await service.sealForAccount(id, part, { reason: "Made reports up" });
    const until = "2026-12-21T09:00:00.000Z";
    const ban = {
      at: "2026-11-21T09:00:00.000Z",
      by: service.accounts.admin,
      until,
      said: { ...part, account },
    };
    await service.db.query(
      "update users.user set status = 'banned', ban = $2, phone = '(***) ***-****' where id = $1",
      [id, JSON.stringify(ban)],
    );
    await service.db.query("update command.session set last_used_at = now()");
    const reply = await service.get(`${ADMIN_USERS}/${id}`, { as: "admin" });
    expect(reply.json().data).toMatchObject({
      id,
      status: "banned",
      banned_until: until,
      phone: "(***) ***-****",
      confirmed: true,
      two_factor: false,
      ban: { reason: "Made reports up", at: ban.at, until, by: "Dana Ruiz" },
      sessions: [{ started_at: expect.any(String) }],
      reports: [],
    });
    expect(reply.headers["cache-control"]).toBe("no-store");
    await service.db.query("update users.user set status = 'active', ban = null where id = $1", [
      id,
    ]);
  });

  it("shows the newest failed sign-ins, masked, until the key of their month is destroyed", async () => {
    const [id, other] = [await service.addUser(), await service.addUser()];
    const now = new Date();
    const months = [now.getUTCMonth() - 1, now.getUTCMonth()].map((month) =>
      subjects.security(new Date(Date.UTC(now.getUTCFullYear(), month)).toISOString().slice(0, 7)),
    );
    await service.keys.ensure(months.map((subject) => ({ subject })));
    let position = 100;
    const fail = async (month: number, account: string, cause: string) => {
      const key = months[month] as string;
      const found = (await service.keys.get([key])).get(key);
      if (found?.state !== "present") throw new Error("the month has no key");
      position += 1;
      const event_id = randomUUID();
      const stream = `security-${randomUUID()}`;
      const place = { eventId: event_id, stream, type: "SignInFailed", schemaVersion: 2 };
      const from = { ip: "203.0.113.77", user_agent: "Mozilla/5.0 (X11; rv:130.0) Firefox/130.0" };
      const client = seal(found.key, from, { ...place, part: "client", key });
      await service.db.query(
        `insert into users.failed_sign_in (position, at, cause, account_index, event_id, stream,
           schema_version, client) values ($1, $2, $3, $4, $5, $6, 2, $7)`,
        [
          at(position),
          new Date(Date.UTC(2026, 10, 1, 0, 0, position)),
          cause,
          failedSignInIndex(found.key, account),
          event_id,
          stream,
          JSON.stringify(client),
        ],
      );
    };
    for (let n = 0; n < 3; n += 1) await fail(0, id, "link_required");
    await fail(1, other, "wrong_code");
    for (let n = 0; n < 18; n += 1) await fail(1, id, "wrong_password");
    const shown = async () => {
      const reply = await service.get(`${ADMIN_USERS}/${id}`, { as: "admin" });
      return reply.json().data.failed_sign_ins as { cause: string }[];
    };
    const causes = (number: number, cause: string) => Array(number).fill(cause);
    const first = await shown();
    expect(first.map(({ cause }) => cause)).toEqual([
      ...causes(18, "wrong_password"),
      ...causes(2, "link_required"),
    ]);
    expect(first[0]).toEqual({
      at: "2026-11-01T00:02:02.000Z",
      cause: "wrong_password",
      device: expect.stringContaining("Firefox"),
      network: "203.0.x.x",
    });
    await service.keys.destroy([months[1] as string], now.toISOString());
    expect((await shown()).map(({ cause }) => cause)).toEqual(causes(3, "link_required"));
  });

  it("is 404 for an unknown account", async () => {
    for (const url of [`${ADMIN_USERS}/${randomUUID()}`, `/prod/admin/users/${randomUUID()}`]) {
      const reply = await service.get(url, { as: "admin" });
      expect([reply.statusCode, reply.json().error.code]).toEqual([404, "account_not_found"]);
    }
  });
});

it("a banned account's pending reports are not in the queue until the ban ends", async () => {
  const owner_id = await service.addUser();
  const of = { owner_id, owned_since: at(60), verified: true };
  const pending = await service.addReport({ ...of, status: "pending" });
  const approved = await service.addReport({ ...of, status: "approved" });
  const own = await service.addReport({ status: "pending", verified: true });
  const shown = async (query: string) => {
    const url = `/prod/api/admin/reports?limit=200&${query}`;
    const { data } = (await service.get(url, { as: "admin" })).json();
    return data.reports.map(({ id }: { id: string }) => id);
  };
  const set = (status: string) =>
    service.db.query("update users.user set status = $2 where id = $1", [owner_id, status]);
  expect(await shown("to_decide=all")).toContain(pending);
  await set("banned");
  const left = await shown("to_decide=all");
  expect(left).not.toContain(pending);
  expect(left).toContain(own);
  expect(await shown("status=pending")).toContain(pending);
  expect(await shown("status=approved")).toContain(approved);
  await set("active");
  expect(await shown("to_decide=all")).toContain(pending);
});
