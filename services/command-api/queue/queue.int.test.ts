import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LEASE_MS, QUEUE } from "#contracts/http/queue.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { CommandApi } from "../composition.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, submit } from "../testing/reports.fixture.ts";
import { QueueLeases } from "./queue.service.ts";

const fixture = forFile(() => startCommandApi());
let other: CommandApi;
/** Bearer tokens of two moderators. */
let ann: string;
let ben: string;
beforeAll(async () => {
  other = await fixture.another();
  ann = fixture.tokens.admin;
  ben = await moderator();
});
beforeEach(() => fixture.db.query("delete from command.queue_lease"));

const moderator = async () => (await fixture.member({ role: "admin" })).token;

function post(token: string, url: string, payload: object, { app }: CommandApi = fixture.api) {
  const headers = { authorization: `Bearer ${token}` };
  return app.inject({ method: "POST", url, headers, payload });
}

/** @returns the report that the moderator got; undefined if none. */
async function take(token: string, reports: readonly string[], api?: CommandApi) {
  const answer = await post(token, `${QUEUE}/take`, { reports }, api);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.taken?.report_id as string | undefined;
}

const submitted = (count: number) =>
  Promise.all(Array.from({ length: count }, () => submit(fixture)));

describe("a report that a moderator has taken", () => {
  it("is reserved for its moderator, who can take it again", async () => {
    const [first = "", second = ""] = await submitted(2);
    expect(await take(ann, [first, second])).toBe(first);
    expect(await take(ben, [first, second])).toBe(second);
    expect(await take(ben, [first])).toBeUndefined();
    expect(await take(ann, [first, second])).toBe(first);
  });

  it("belongs to one moderator, however many ask concurrently and in whichever process", async () => {
    const ids = await submitted(6);
    const rounds = await Promise.all(
      ids.map((id) =>
        Promise.all([
          take(ann, [id]),
          take(ben, [id], other),
          take(ann, [id], other),
          take(ben, [id]),
        ]),
      ),
    );
    for (const [annA, benB, annB, benA] of rounds) {
      const annHas = annA !== undefined || annB !== undefined;
      const benHas = benA !== undefined || benB !== undefined;
      expect([annHas, benHas].filter(Boolean)).toHaveLength(1);
    }
  });

  it("is released after ten minutes", async () => {
    const [id = ""] = await submitted(1);
    const leases = new QueueLeases(fixture.db);
    const ids = await fixture.db.query<{ id: string }>(
      "select id from command.account where role = 'admin' order by created_at",
    );
    const [annId = "", benId = ""] = ids.rows.map((row) => row.id);
    const at = (ms: number) => new Date(Date.parse("2026-11-23T08:00:00Z") + ms).toISOString();
    const holder = (accountId: string) => ({ accountId, sessionId: undefined });
    expect(await leases.take(id, holder(annId), at(0))).toBe(at(LEASE_MS));
    expect(await leases.take(id, holder(benId), at(LEASE_MS - 1))).toBeUndefined();
    expect(await leases.take(id, holder(benId), at(LEASE_MS))).toBe(at(2 * LEASE_MS));
    expect(await leases.take(id, holder(annId), at(LEASE_MS))).toBeUndefined();
    const count = async () => (await fixture.db.query("select from command.queue_lease")).rowCount;
    await leases.sweep(Date.parse(at(2 * LEASE_MS - 1)));
    expect(await count()).toBe(1);
    await leases.sweep(Date.parse(at(2 * LEASE_MS)));
    expect(await count()).toBe(0);
  });

  it.each([
    ["approve", {}],
    ["reject", { reason_code: "no_evidence" }],
    ["status", { status: "under_review" }],
  ])("is released once anyone decides it: %s", async (command, body) => {
    const [id = ""] = await submitted(1);
    await take(ann, [id]);
    expect((await post(ben, admin(id, `/${command}`), body)).statusCode).toBe(200);
    expect((await fixture.db.query("select from command.queue_lease")).rowCount).toBe(0);
  });

  it("is released when its moderator leaves it or signs out, but not when another one leaves it", async () => {
    const [id = ""] = await submitted(1);
    const cleo = await moderator();
    await take(cleo, [id]);
    await post(ben, `${QUEUE}/leave`, { report: id });
    expect(await take(ben, [id])).toBeUndefined();
    await post(cleo, `${QUEUE}/leave`, { report: id });
    expect(await take(ben, [id])).toBe(id);
    await post(ben, `${QUEUE}/leave`, { report: id });

    await take(cleo, [id]);
    expect(await take(ben, [id])).toBeUndefined();
    expect((await post(cleo, "/prod/api/auth/logout", {})).statusCode).toBe(200);
    expect(await take(ben, [id])).toBe(id);
  });
});

describe("taking a report", () => {
  it("skips reports that are decided, deleted, unknown, or from the moderator's own account", async () => {
    const [decided = "", deleted = "", free = ""] = await submitted(3);
    await post(ben, admin(decided, "/approve"), {});
    await fixture.call("DELETE", admin(deleted), { as: "admin", body: {} });
    const own = (await post(ann, "/prod/api/reports/submit", chargeback)).json().data.id;
    expect(await take(ann, [decided, deleted, randomUUID(), own, free])).toBe(free);
    expect(await take(ben, [decided, deleted, own, free])).toBe(own);
    // Skipped reports are not reserved.
    const { rows } = await fixture.db.query("select report_id from command.queue_lease");
    expect(rows.map((row) => row.report_id).sort()).toEqual([own, free].sort());
  });

  it("accepts one to twenty IDs", async () => {
    const url = `${QUEUE}/take`;
    const many = Array.from({ length: 21 }, () => randomUUID());
    for (const reports of [[], many, ["x"]])
      expect((await post(ann, url, { reports })).statusCode).toBe(400);
  });
});
