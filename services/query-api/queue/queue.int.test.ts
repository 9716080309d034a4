import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { QUEUE, QUEUE_FRONT, type Queue } from "#contracts/http/queue.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
let clock = Date.parse("2026-11-01T08:00:00Z");
beforeAll(async () => {
  await service.moveTo(5);
});

/** A confirmed report awaiting a decision, newer than the previous ones. */
function waiting(columns: Record<string, unknown> = {}): Promise<string> {
  clock += 60_000;
  const created_at = new Date(clock).toISOString();
  return service.addReport({ status: "pending", verified: true, created_at, ...columns });
}

async function queue(): Promise<Queue> {
  const answer = await service.get(QUEUE, { as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}

const clear = () => service.db.query("truncate reports.report");
const soon = () => new Date(Date.now() + 600_000).toISOString();

describe("the queue", () => {
  it("lists confirmed reports, oldest first, after those whose reporter has replied", async () => {
    await clear();
    const older = await waiting();
    const younger = await waiting();
    const late = await waiting({ answered_at: "2026-11-20T09:00:00.000Z" });
    const early = await waiting({
      status: "under_review",
      answered_at: "2026-11-20T08:00:00.000Z",
    });
    expect(await queue()).toMatchObject({
      reports: [early, late, older, younger],
      since: [
        "2026-11-20T08:00:00.000Z",
        "2026-11-20T09:00:00.000Z",
        // As the fixture inserts them.
        ...[older, younger].map(() => "2026-11-20T08:00:00.123Z"),
      ],
      to_decide: 4,
      taken: [],
    });
  });

  it("omits unconfirmed, decided, asked and banned accounts' reports, and counts the reader's own", async () => {
    await clear();
    const banned = await service.addUser({ status: "banned" });
    await waiting({ verified: false });
    await waiting({ status: "approved", slug: "nia-new" });
    await waiting({ status: "under_review" });
    await waiting({ asked_until: soon() });
    await waiting({ owner_id: banned });
    await waiting({ owner_id: banned, answered_at: "2026-11-20T08:00:00.000Z" });
    await waiting({ owner_id: service.accounts.admin });
    const overdue = await waiting({ asked_until: "2026-11-02T08:00:00.000Z" });
    expect(await queue()).toMatchObject({ reports: [overdue], to_decide: 2, taken: [] });
  });

  it("skips reports that name the reader, by address or by name, and continues after them", async () => {
    await clear();
    const blind = createBlindIndexer(await service.keys.serviceKey("blind-index"));
    await waiting({
      answered_at: "2026-11-20T08:00:00.000Z",
      last_name: "Ruiz",
      first_name: "DANA",
    });
    await waiting({ blind: JSON.stringify({ email: [blind("email", "admin@registry.example")] }) });
    for (let n = 0; n < QUEUE_FRONT; n += 1)
      await waiting({ first_name: "Dána", last_name: "ruiz" });
    await waiting({ blind: JSON.stringify({ phone: [blind("email", "admin@registry.example")] }) });
    await waiting({ first_name: "Dana", last_name: "Roe" });
    const { reports, to_decide } = await queue();
    expect([reports.length, to_decide]).toEqual([2, QUEUE_FRONT + 4]);
  });

  it("returns the front, and counts the rest", async () => {
    await clear();
    const ids: string[] = [];
    for (let n = 0; n < QUEUE_FRONT + 2; n += 1) ids.push(await waiting());
    const { reports, to_decide } = await queue();
    expect([reports, to_decide]).toEqual([ids.slice(0, QUEUE_FRONT), QUEUE_FRONT + 2]);
  });

  it("shows which reports others have claimed, until the claim or their session ends", async () => {
    await clear();
    const { admin, user } = service.accounts;
    const [theirs, over, own, ended] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const session = randomUUID();
    await service.db.query(
      `insert into command.session (id, account_id, expires_at, started_at, last_used_at, noted_at, ended_at)
       values ($1, $2, now(), now(), now(), now(), now())`,
      [session, user],
    );
    const until = soon();
    for (const [id, account, by, end] of [
      [theirs, user, null, until],
      [over, user, null, "2026-11-01T08:00:00.000Z"],
      [own, admin, null, until],
      [ended, user, session, until],
    ])
      await service.db.query("insert into command.queue_lease values ($1, $2, $3, $4)", [
        id,
        account,
        by,
        end,
      ]);
    expect((await queue()).taken).toEqual([{ report_id: theirs, until }]);
  });
});
