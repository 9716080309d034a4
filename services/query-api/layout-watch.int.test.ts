import { expect, it } from "vitest";
import { projectedSchemas } from "#read-model/install.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "./testing/query-api.fixture.ts";

const RECENT = "/prod/api/reports/recent";
const { layout } = projectedSchemas.reports;

const service = forFile(() => startQueryApi());

/** Replaces the report tables with those of another version. */
async function swapIn(other: number): Promise<void> {
  await service.db.query(`
    alter schema reports rename to reports_kept;
    create schema reports;
    create table reports.report (id uuid);
    comment on schema reports is 'layout ${other}'`);
}
async function swapBack(): Promise<void> {
  await service.db.query(
    "drop schema reports cascade; alter schema reports_kept rename to reports",
  );
}

const layouts = async () => (await service.api.app.inject("/readyz")).json().checks.layouts;
/** `/readyz` caches its result for one second, so callers poll. */
const told = <T>(ask: () => Promise<T>) => expect.poll(ask);
const refused = {
  success: false,
  error: { code: "unavailable", message: expect.any(String) },
};

it.each([
  ["an earlier", layout - 1],
  ["a newer", layout + 1],
])("answers 503 while the tables have %s version, and then recovers", async (_which, other) => {
  expect((await service.get(RECENT)).statusCode).toBe(200);
  // The process is not notified. It notices when the first statement fails.
  await swapIn(other);
  const first = await service.get(RECENT);
  expect({ status: first.statusCode, body: first.json() }).toEqual({
    status: 503,
    body: refused,
  });
  expect(first.headers["retry-after"]).toBe("5");
  await told(async () => (await service.get("/readyz")).statusCode).toBe(503);
  await told(async () => (await layouts()).detail?.cause ?? "").toContain(
    `the schema "reports" has layout ${other} instead of layout ${layout}`,
  );
  await swapBack();
  await expect.poll(async () => (await service.get(RECENT)).statusCode).toBe(200);
  await told(layouts).toMatchObject({ ok: true });
});

it("answers 503 from startup if the tables have an earlier version", async () => {
  await swapIn(layout - 1);
  const { app } = await service.startProcess();
  // The earlier tables can answer this query, so only the startup check rejects it.
  const samples = await app.inject("/prod/api/habitual-offenders");
  expect({ status: samples.statusCode, body: samples.json() }).toEqual({
    status: 503,
    body: refused,
  });
  expect((await app.inject("/healthz")).statusCode).toBe(200);
  await swapBack();
  await expect
    .poll(async () => (await app.inject("/prod/api/habitual-offenders")).statusCode)
    .toBe(200);
});

it("reports a failing statement as an error if the tables have its version", async () => {
  await service.db.query("alter view reports.public_report rename to renamed");
  expect((await service.get(RECENT)).statusCode).toBe(500);
  await service.db.query("alter view reports.renamed rename to public_report");
});
