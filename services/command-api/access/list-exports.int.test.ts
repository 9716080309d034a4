import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { LIST_EXPORTS } from "#contracts/http/list-exports.ts";
import { forFile } from "#test-kit/for-file.ts";
import {
  type CountedList,
  type ListExportSeals,
  listExportSeals,
} from "#vault/links/list-export.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());
let seals: ListExportSeals;
let admin: string;
beforeAll(async () => {
  seals = listExportSeals(await fixture.api.keys.liveKey("positions"));
  const { rows } = await fixture.db.query("select id from command.account where role = 'admin'");
  admin = rows[0].id;
});

const CANARY = "canary-quinn@example.net";
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const statementOf = (counted: Partial<CountedList> = {}) =>
  seals.count.seal({
    accountId: admin,
    list: "users",
    filter: { search: CANARY },
    rows: 3,
    first: "2026-11-23T10:00:00.000Z~11111111-1111-4111-8111-111111111111",
    expiresAt: inMs(300_000),
    ...counted,
  });
const start = (statement: string, options: { key?: string; format?: string } = {}) => {
  const { format = "csv", ...rest } = options;
  return fixture.call("POST", LIST_EXPORTS, { body: { statement, format }, as: "admin", ...rest });
};
async function eventsOf(id: string) {
  const { rows } = await fixture.db.query(
    "select type, data, metadata from event_log.event where stream = $1",
    [`access-${id}`],
  );
  return rows;
}

it("logs the export with its filter sealed before it returns a ticket", async () => {
  const reply = await start(statementOf());
  expect(reply.statusCode, reply.body).toBe(200);
  const { id, rows, ticket } = reply.json().data;
  expect(rows).toBe(3);
  const [event, ...others] = await eventsOf(id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: "ListExported",
    data: { list: "users", format: "csv", rows: 3, account: { key: `account-${admin}` } },
    metadata: { command: "ExportList", actor: { id: admin, role: "admin" } },
  });
  expect(JSON.stringify(event)).not.toContain("canary");
  expect(seals.ticket.open(ticket, inMs(0))).toMatchObject({
    exportId: id,
    accountId: admin,
    filter: { search: CANARY },
    format: "csv",
    rows: 3,
  });
  // A minute, though the count is valid for five.
  expect(seals.ticket.open(ticket, inMs(61_000))).toBeUndefined();
});

it("makes one export per Idempotency-Key, whose ticket never outlives the count", async () => {
  const key = randomUUID();
  const statement = statementOf({ expiresAt: inMs(20_000) });
  const [first, second] = [await start(statement, { key }), await start(statement, { key })];
  const { id } = first.json().data;
  expect(second.json().data.id).toBe(id);
  expect(await eventsOf(id)).toHaveLength(1);
  expect(seals.ticket.open(second.json().data.ticket, inMs(21_000))).toBeUndefined();
  const other = await start(statement, { key, format: "json" });
  expect(refusal(other)).toEqual([422, "idempotency_key_reused"]);
});

it("treats a second count of the same rows under one Idempotency-Key as a different request", async () => {
  const key = randomUUID();
  const first = await start(statementOf({ expiresAt: inMs(200_000) }), { key });
  expect(first.statusCode, first.body).toBe(200);
  const later = await start(statementOf({ expiresAt: inMs(300_000) }), { key });
  expect(refusal(later)).toEqual([422, "idempotency_key_reused"]);
  expect(later.body).not.toContain("ticket");
  expect(await eventsOf(first.json().data.id)).toHaveLength(1);
});

it("rejects another account's count and an expired one", async () => {
  const before = await fixture.db.query("select count(*) from event_log.event");
  for (const statement of [
    statementOf({ accountId: randomUUID() }),
    statementOf({ expiresAt: inMs(-1) }),
    seals.ticket.seal({
      accountId: admin,
      list: "users",
      filter: {},
      rows: 1,
      expiresAt: inMs(60_000),
      exportId: randomUUID(),
      format: "csv",
    }),
    "x",
  ]) {
    const reply = await start(statement);
    expect(refusal(reply)).toEqual([400, "invalid_request"]);
  }
  const after = await fixture.db.query("select count(*) from event_log.event");
  expect(after.rows).toEqual(before.rows);
});
