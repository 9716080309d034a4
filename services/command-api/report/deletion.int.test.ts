import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { BULK } from "#contracts/http/jobs.ts";
import { MAX_DELETIONS, MAX_UNPROVED } from "#contracts/report/reporter-rules.ts";
import { DELETION_REASONS, type DeletionReason } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { forFile } from "#test-kit/for-file.ts";
import { ReportExpiry } from "../housekeeping/housekeeping.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { chargeback, type Member, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eventsOf, SUBMIT, submit } from "../testing/reports.fixture.ts";
import { decide, publicReport, someAddress, takenDown } from "../testing/strikes.fixture.ts";
import { named, upload } from "../testing/uploads.fixture.ts";
import { DeletionQuota } from "./deletion-quota.ts";

const HOUR_MS = 3_600_000;
const REASONS = Object.keys(DELETION_REASONS) as DeletionReason[];
const EMERGENCY = "/prod/api/reports/all?emergency_delete=true&report_id=";

const fixture = forFile(() => startCommandApi());

const newAdmin = (role: "admin" | "user" = "admin") => fixture.member({ role });
const send = (
  by: Member,
  method: "GET" | "POST" | "PUT" | "DELETE",
  url: string,
  payload?: object,
) =>
  fixture.api.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${by.token}` },
    ...(payload ? { payload } : {}),
  });
const remove = (by: Member, id: string, reason_code: DeletionReason = "spam") =>
  send(by, "DELETE", admin(id), { reason_code });
/** Ways to delete a report. */
const DOORS = [remove, (by: Member, id: string) => send(by, "GET", EMERGENCY + id)];
/** Other requests that must not delete one. */
const CLOSED: readonly [string, (by: Member, ids: readonly string[]) => ReturnType<typeof send>][] =
  [
    [
      "a bulk deletion",
      (by, ids) => send(by, "POST", BULK, { command: "delete", reports: seen(ids) }),
    ],
    [
      "a bulk status",
      (by, ids) =>
        send(by, "POST", BULK, { command: "status", status: "deleted", reports: seen(ids) }),
    ],
    ["a status", (by, [id = ""]) => send(by, "POST", admin(id, "/status"), { status: "deleted" })],
    ["an edit", (by, [id = ""]) => send(by, "PUT", admin(id), { status: "deleted" })],
    ["a POST of the emergency call", (by, [id = ""]) => send(by, "POST", EMERGENCY + id, {})],
  ];
const seen = (ids: readonly string[]) => ids.map((id) => ({ id, revision: 0 }));
const undo = (by: Member, id: string) => send(by, "POST", admin(id, "/undo-deletion"), {});
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const lastOf = async (id: string) => (await eventsOf(fixture, id)).at(-1);
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code;
async function keysOf(id: string): Promise<string[]> {
  const found = await fixture.api.keys.get([subjects.personal(id), subjects.reporter(id)]);
  return [...found.values()].map(({ state }) => state);
}

async function submitMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) ids.push(await submit(fixture));
  return ids;
}

describe("a hundred deletions by one account", () => {
  it("hide at most twenty reports and erase none, whatever the route or reason", async () => {
    const [by, other] = [await newAdmin(), await newAdmin()];
    const ids = await submitMany(100);
    // Every reason is sent through every route.
    const answers = await Promise.all(
      ids.map((id, i) => {
        const door = DOORS[Math.floor(i / REASONS.length) % DOORS.length];
        return door?.(by, id, REASONS[i % REASONS.length] ?? "other");
      }),
    );
    for (const [name, closed] of CLOSED) {
      const { statusCode } = await closed(by, ids);
      expect([name, statusCode]).toEqual([name, expect.toSatisfy((code) => code >= 400)]);
    }
    // Repeat for hidden reports and for pending deletions.
    for (const id of ids.slice(0, 40)) for (const door of DOORS) await door(by, id, "court_order");
    const types = await Promise.all(ids.map(typesOf));
    const having = (type: string) => types.filter((each) => each.includes(type)).length;
    expect(having("ReportDeleted")).toBe(MAX_DELETIONS);
    expect(having("ReportDeletionRequested")).toBe(100 - MAX_DELETIONS);
    expect(having("ReportErased")).toBe(0);
    for (const id of ids) expect(await keysOf(id)).toEqual(["present", "present"]);
    const refused = answers.filter((answer) => answer?.statusCode !== 200);
    expect(refused).toHaveLength(100 - MAX_DELETIONS);
    for (const answer of refused) {
      expect(answer?.statusCode).toBe(403);
      expect(answer && codeOf(answer)).toBe("second_admin_required");
    }
    const waiting = ids.find((_, i) => types[i]?.includes("ReportDeletionRequested")) ?? "";
    // All admins are emailed about the first pending deletion, and about no other within the hour.
    const events = (await Promise.all(ids.map((id) => eventsOf(fixture, id)))).flat();
    const told = events.flatMap(({ data }) => ("told" in data ? [data.told] : []));
    expect(told).toEqual([expect.arrayContaining([by.id, other.id])]);

    // A second admin's deletion approves the first, and doesn't count against their own quota.
    expect((await remove(other, waiting, "other")).statusCode).toBe(200);
    expect(await lastOf(waiting)).toMatchObject({ type: "ReportDeleted" });
    const [left = ""] = ids.filter(
      (id, i) => id !== waiting && !types[i]?.includes("ReportDeleted"),
    );
    expect((await undo(other, left)).statusCode).toBe(200);
    expect(await lastOf(left)).toMatchObject({ type: "ReportDeletionUndone" });
  });

  it("need a password entered within 15 minutes on every route, as do bulk decisions on more than ten", async () => {
    const by = await newAdmin();
    const ids = await submitMany(MAX_UNPROVED + 1);
    const [id = ""] = ids;
    await fixture.db.query(
      `update command.session set proved_at = now() - interval '16 minutes' where account_id = $1`,
      [by.id],
    );
    for (const door of DOORS)
      for (const reason of REASONS) {
        const answer = await door(by, id, reason);
        expect(answer.statusCode).toBe(403);
        expect(codeOf(answer)).toBe("proof_required");
      }
    const bulk = (count: number) => ({
      command: "status",
      status: "under_review",
      reports: seen(ids.slice(0, count)),
    });
    expect(codeOf(await send(by, "POST", BULK, bulk(ids.length)))).toBe("proof_required");
    expect((await send(by, "POST", BULK, bulk(MAX_UNPROVED))).statusCode).toBe(200);
    for (const type of ["ReportDeleted", "ReportDeletionRequested"])
      expect(await typesOf(id)).not.toContain(type);
  });
});

describe("a deletion", () => {
  it("gives a date for the erasure, and any admin can undo it until then", async () => {
    const [by, other] = [await newAdmin(), await newAdmin()];
    const id = await submit(fixture);
    await send(by, "POST", admin(id, "/approve"), {});
    const slug = (await fixture.api.reports.load(id))?.slug;
    const answer = await remove(by, id, "court_order");
    expect(answer.json()).toMatchObject({
      message: "Report deleted successfully",
      data: { status: "deleted" },
    });
    const { data, metadata } = (await lastOf(id)) as unknown as {
      data: { erase_at: string };
      metadata: { time: string };
    };
    expect(Date.parse(data.erase_at) - Date.parse(metadata.time)).toBe(24 * HOUR_MS);
    expect((await undo(other, id)).json().data).toMatchObject({ status: "approved" });
    expect(slug).toBeTruthy();
    expect((await fixture.api.reports.load(id))?.slug).toBe(slug);
    expect((await undo(other, id)).statusCode).toBe(409);
  });

  it("erases immediately for a court order if a second admin deletes it too, but not for one admin alone", async () => {
    const [by, other] = [await newAdmin(), await newAdmin()];
    const id = await submit(fixture);
    expect((await remove(by, id, "court_order")).statusCode).toBe(200);
    expect(codeOf(await remove(by, id, "court_order"))).toBe("second_admin_required");
    expect(await keysOf(id)).toEqual(["present", "present"]);
    expect((await remove(other, id, "court_order")).statusCode).toBe(200);
    expect(await lastOf(id)).toMatchObject({ type: "ReportErased" });
    expect(await keysOf(id)).toEqual(["destroyed", "destroyed"]);
    expect((await undo(other, id)).statusCode).toBe(410);
  });

  it("is not seconded by who got the role today from the admin who deleted it", async () => {
    const by = await newAdmin();
    const seat = await newAdmin("user");
    const role = `/prod/api/admin/users/${seat.id}/role`;
    const given = await send(by, "PUT", role, { role: "admin" });
    expect(given.statusCode, given.body).toBe(200);
    const id = await submit(fixture);
    expect((await remove(by, id, "court_order")).statusCode).toBe(200);
    const second = { ...seat, token: await fixture.signIn(seat.email) };
    expect(codeOf(await remove(second, id, "court_order"))).toBe("second_admin_required");
    expect(await keysOf(id)).toEqual(["present", "present"]);
  });

  it("is completed by housekeeping when due, and not before", async () => {
    const by = await newAdmin();
    const id = await submit(fixture);
    await remove(by, id);
    const { api, db } = fixture;
    const epoch = (await readEpoch(api.store)) ?? "";
    const { store, reports } = api;
    const settings = async () => ({}) as never;
    const expiry = new ReportExpiry({ pool: db, store, reports, epoch, settings });
    await expiry.run(Date.now() + 23 * HOUR_MS);
    expect(await lastOf(id)).toMatchObject({ type: "ReportDeleted" });
    expect(await keysOf(id)).toEqual(["present", "present"]);
    await expiry.run(Date.now() + 24 * HOUR_MS + 1000);
    expect(await lastOf(id)).toMatchObject({
      type: "ReportErased",
      metadata: { actor: { role: "system" } },
    });
    expect(await keysOf(id)).toEqual(["destroyed", "destroyed"]);
  });

  it("of files, users and notices counts too, and is refused over the limit, since it can't be undone", async () => {
    const by = await newAdmin();
    const caller = (now = new Date()) =>
      newEnvelope({ ...systemCaller(now.toISOString()), actor: { id: by.id, role: "admin" } });
    const quota = new DeletionQuota(fixture.db);
    for (let count = 0; count < MAX_DELETIONS; count += 1)
      expect(await quota.take(by.id, randomUUID(), new Date().toISOString())).toBe(true);
    const file = await upload(fixture);
    const body = { ...chargeback, evidence: [named(file)] };
    const { id } = (await fixture.call("POST", SUBMIT, { body })).json().data;
    const deletion = { reason_code: "unrelated" } as const;
    const command = { type: "DeleteEvidence", fileId: file.id, body: deletion } as const;
    const other = await newAdmin();
    const notice = await takenDown(fixture, await publicReport(fixture, someAddress()));
    await decide(fixture, notice, "lift", { reason_code: "withdrawn", revision: 2 });
    const refused = { code: "too_many_requests", message: expect.stringContaining("in an hour") };
    const { noticeModeration, reports, accountModeration } = fixture.api;
    await expect(reports.execute(id, command, caller())).rejects.toMatchObject(refused);
    await expect(accountModeration.remove(other.id, caller())).rejects.toMatchObject(refused);
    const gone = { reason_code: "spam", revision: 3 } as const;
    await expect(noticeModeration.delete(notice, gone, caller())).rejects.toMatchObject(refused);
    expect(await lastOf(id)).toMatchObject({ type: "EvidenceAdded" });
    await reports.execute(id, command, caller(new Date(Date.now() + 1.1 * HOUR_MS)));
    expect(await lastOf(id)).toMatchObject({ type: "EvidenceErased" });
  });

  it("counts for an hour, and not for restores", async () => {
    const by = await newAdmin();
    const deleteAt = (id: string, hours: number) => {
      const now = new Date(Date.now() + hours * HOUR_MS).toISOString();
      const caller = { ...systemCaller(now), actor: { id: by.id, role: "admin" } } as const;
      const command = { type: "DeleteReport", body: { reason_code: "spam" } } as const;
      return fixture.api.reports.execute(id, command, newEnvelope(caller));
    };
    const ids = await submitMany(MAX_DELETIONS + 2);
    const [one = "", two = "", ...others] = ids;
    for (const id of others) await deleteAt(id, 0);
    await expect(deleteAt(one, 0.5)).rejects.toMatchObject({ code: "second_admin_required" });
    const eraseAt = new Date(Date.now() + HOUR_MS).toISOString();
    const caller = systemCaller(new Date().toISOString());
    await fixture.api.reports.execute(one, { type: "HideReport", eraseAt }, newEnvelope(caller));
    expect(await lastOf(one)).toMatchObject({ type: "ReportDeleted", data: { erase_at: eraseAt } });
    await deleteAt(two, 1.1);
    expect(await lastOf(two)).toMatchObject({ type: "ReportDeleted" });
  });
});
