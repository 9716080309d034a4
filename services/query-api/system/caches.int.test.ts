import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startQueryApi } from "../testing/query-api.fixture.ts";

type Service = Awaited<ReturnType<typeof startQueryApi>>;

let service: Service;
beforeAll(async () => {
  service = await startQueryApi();
});
afterAll(() => service.close());

const site = async () => (await service.get("/prod/api/site")).json().data;

it("clears its caches when an admin asks, reports how many entries, and signals web", async () => {
  const soon = { timeout: 20_000, interval: 50 };
  // Cached: rendered FAQ answers, and the figures.
  const faq = (await service.get("/prod/api/faq")).json().data;
  await service.get("/prod/api/figures");
  expect(await site()).not.toHaveProperty("emptied");
  await expect
    .poll(async () => (await service.db.query("select from ops.process")).rowCount, soon)
    .toBeGreaterThan(0);
  const ask = async () => {
    const id = randomUUID();
    await service.db.query("insert into ops.request (id, action) values ($1, 'clear-cache')", [id]);
    const answered = async () =>
      (await service.db.query("select service, count from ops.answer where request_id = $1", [id]))
        .rows[0];
    await expect.poll(answered, soon).toMatchObject({ service: "query-api" });
    return { id, count: (await answered()).count };
  };
  const first = await ask();
  expect(first.count).toBeGreaterThanOrEqual(faq.length + 1);
  const { emptied } = await site();
  expect(emptied).toMatch(/^[\w-]{12}$/);
  expect(first.id).not.toContain(emptied);
  const second = await ask();
  expect(second.count).toBeLessThan(first.count);
  expect((await site()).emptied).not.toBe(emptied);
});
