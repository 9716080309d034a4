import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { SAVED_FILTERS } from "#contracts/http/list-exports.ts";
import { forFile } from "#test-kit/for-file.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { SavedFilterStore } from "./saved-filter.store.ts";

const fixture = forFile(() => startCommandApi());
let store: SavedFilterStore;
let ids: Record<"admin" | "auditor" | "user", string>;
beforeAll(async () => {
  store = new SavedFilterStore({ pool: fixture.db, keys: fixture.api.keys });
  const { rows } = await fixture.db.query("select role, id from command.account");
  ids = Object.fromEntries(rows.map(({ role, id }) => [role, id])) as typeof ids;
});

const CANARY = "canary-quinn@example.net";
type As = "admin" | "auditor";
const save = (body: object, as: As = "admin", key = randomUUID()) =>
  fixture.call("POST", SAVED_FILTERS, { body, as, key });
const remove = (id: string, as: As = "admin") =>
  fixture.call("DELETE", `${SAVED_FILTERS}/${id}`, { body: {}, as });
const sample = { list: "users", name: `About ${CANARY}`, filter: { search: CANARY } };

it("stores a filter for its account, sealed, and once per Idempotency-Key", async () => {
  const key = randomUUID();
  const saved = await save(sample, "admin", key);
  expect(saved.statusCode, saved.body).toBe(200);
  const { id } = saved.json().data;
  expect((await save(sample, "admin", key)).json().data.id).toBe(id);
  expect(await store.of(ids.admin)).toEqual([{ id, ...sample }]);
  const { rows } = await fixture.db.query("select f::text as row from command.saved_filter f");
  expect(rows).toHaveLength(1);
  expect(rows[0].row).not.toContain("canary");
  expect((await remove(id)).statusCode).toBe(200);
  expect(await store.of(ids.admin)).toEqual([]);
});

it("does not delete another account's filter, and answers as for an unknown one", async () => {
  const { id } = (await save(sample)).json().data;
  for (const other of [id, randomUUID()]) {
    const reply = await remove(other, "auditor");
    expect(refusal(reply)).toEqual([404, "not_found"]);
  }
  expect(await store.of(ids.admin)).toEqual([{ id, ...sample }]);
  expect(await store.of(ids.auditor)).toEqual([]);
});

it("rejects blank names, unknown lists, long filters and more than fifty", async () => {
  for (const body of [
    { ...sample, name: "  " },
    { ...sample, list: "sessions" },
    { ...sample, filter: { search: "x".repeat(201) } },
    { ...sample, filter: Object.fromEntries([..."abcdefghijk"].map((n) => [n, "x".repeat(200)])) },
  ])
    expect((await save(body)).statusCode).toBe(400);
  for (let n = 0; n < 50; n += 1)
    expect((await save({ ...sample, name: `${n}` }, "auditor")).statusCode).toBe(200);
  const tooMany = await save(sample, "auditor");
  expect(refusal(tooMany)).toEqual([409, "conflict"]);
  expect(await store.of(ids.auditor)).toHaveLength(50);
});

it("is included in the export of the account's data, and deleted with the account", async () => {
  const id = ids.user;
  const filter = { list: "reports", name: "Mine", filter: { q: CANARY } } as const;
  expect(await store.add(randomUUID(), id, filter)).toBe(true);
  const exported = await fixture.call("POST", "/prod/api/auth/export", { body: {}, as: "user" });
  expect(exported.json().data.about.saved_filters, exported.body).toEqual([filter]);
  await fixture.api.accountEraser.erase(id, systemCaller(new Date().toISOString()));
  const { rows } = await fixture.db.query(
    "select 1 from command.saved_filter where account_id = $1",
    [id],
  );
  expect(rows).toEqual([]);
});
