import { expect, it } from "vitest";
import type { Dashboard } from "#contracts/http/analytics.ts";
import { readModelDatabase } from "#read-model/database.ts";
import { forFile } from "#test-kit/for-file.ts";
import { addDays } from "../analytics/period-stats.queries.ts";
import { at, startQueryApi } from "../testing/query-api.fixture.ts";
import { checkReadModels } from "./dashboard.routes.ts";

const service = forFile(() => startQueryApi());

async function dashboard(): Promise<Dashboard> {
  const reply = await service.get("/prod/api/admin/dashboard", { as: "admin" });
  expect(reply.statusCode).toBe(200);
  return reply.json().data;
}

const today = () => new Date().toISOString().slice(0, 10);

it("adds up the figures tables by status and currency", async () => {
  await service.db.query(
    `insert into reports.figure_status values
       ('pending', 'USD', 3, 10050), ('approved', 'USD', 2, 500), ('approved', 'EUR', 1, 99)`,
  );
  await service.db.query("insert into accounts.figure_day values ($1, 5), ($2, 7), ($3, 9)", [
    today(),
    addDays(today(), -29),
    addDays(today(), -30),
  ]);
  await service.db.query("insert into reports.figure_day values ($1, 'USD', 4, 700, 2, 500, 1)", [
    today(),
  ]);
  await service.db.query(
    `insert into users.figure_standing values
       ('pending', 'user', 2), ('pending', 'admin', 1), ('banned', 'user', 4), ('active', 'user', 35)`,
  );
  const { users, reports, figures, failed } = await dashboard();
  expect(failed).toEqual([]);
  expect(users).toEqual({ total: 42, new: 12, pending: 3, banned: 4 });
  expect(reports).toEqual({
    total: 6,
    statuses: [
      { status: "pending", reports: 3, totals: [{ currency: "USD", amount: 100.5 }] },
      { status: "under_review", reports: 0, totals: [] },
      {
        status: "approved",
        reports: 3,
        totals: [
          { currency: "EUR", amount: 0.99 },
          { currency: "USD", amount: 5 },
        ],
      },
      { status: "rejected", reports: 0, totals: [] },
    ],
  });
  expect(figures?.total).toMatchObject({ submitted: 4, approved: 2, rejected: 1 });
});

it("shows the five most recently changed reports, with the reporter's address masked", async () => {
  const ids: string[] = [];
  for (let minute = 10; minute < 16; minute += 1)
    ids.push(await service.addReport({ updated_at: `2026-11-20T09:${minute}:00.000Z` }));
  await service.db.query("update reports.report set reporter_email_mask = null where id = $1", [
    ids[5],
  ]);
  const { activity } = await dashboard();
  expect(activity?.map(({ id }) => id)).toEqual(ids.slice(1).reverse());
  expect(activity?.[0]).not.toHaveProperty("reporter_email");
  expect(activity?.[1]).toMatchObject({
    first_name: "Quinn",
    last_name: "Ames",
    status: "pending",
    reporter_email: "r***@***",
  });
});

it("lists each store that it checked", async () => {
  const { health } = await dashboard();
  expect(health?.checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["database", "keys", "event_log", "search", "files", "read_models"]),
  );
  expect(health?.status).toBe(health?.checks.every(({ ok }) => ok) ? "healthy" : "degraded");
});

it("distinguishes stalled read models from working ones, and finds parked events", async () => {
  const db = readModelDatabase(service.db);
  const store = { head: async () => at(5) };
  const unwell = async () =>
    (await checkReadModels(db, store)).filter(({ ok }) => !ok).map(({ name }) => name);
  const moved = (n: number, secondsAgo: number) =>
    service.db.query(
      `update processor.checkpoint set position = $1,
         moved_at = now() - make_interval(secs => $2) where processor = 'search'`,
      [at(n), secondsAgo],
    );
  await service.moveTo(5);
  expect(await unwell()).toEqual([]);
  await moved(5, 3600);
  expect(await unwell()).toEqual([]);
  await moved(4, 1);
  expect(await unwell()).toEqual([]);
  await moved(4, 60);
  expect(await unwell()).toEqual(["read_models"]);
  await moved(5, 1);
  await service.db.query(
    "insert into processor.parked_stream (processor, stream, position) values ('outbox', 'report-x', $1)",
    [at(1)],
  );
  expect(await unwell()).toEqual(["parked_events"]);
});

it("lists a part that cannot be read as failed, and returns the others", async () => {
  await service.db.query("alter table users.figure_standing rename to gone");
  try {
    const found = await dashboard();
    expect(found.failed).toEqual(["users"]);
    expect(found.users).toBeNull();
    expect(found.reports?.total).toBe(6);
  } finally {
    await service.db.query("alter table users.gone rename to figure_standing");
  }
});
