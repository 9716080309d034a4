import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { Caches } from "#operations/request-table.ts";
import { forFile } from "#test-kit/for-file.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";

const URL = "/prod/api/system/actions";
const CLEAR = { action: "clear-cache" };

const fixture = forFile(() => startCommandApi());
beforeEach(() => fixture.db.query("delete from ops.process; delete from ops.request"));

const act = (body: object = CLEAR, as: "user" | "admin" | "auditor" = "admin", key?: string) =>
  fixture.call("POST", URL, { as, body, ...(key ? { key } : {}) });

/** A process with this many cached entries. It reports and checks for requests only when told to. */
async function aProcess(entries: number) {
  const cleared: number[] = [];
  const caches = new Caches();
  let held = entries;
  caches.add({
    clear() {
      const removed = held;
      held = 0;
      cleared.push(removed);
      return removed;
    },
  });
  const reporter = new ProcessReporter({
    pool: fixture.db,
    service: "query-api",
    parts: [],
    caches,
    log: pino({ level: "silent" }),
  });
  onTestFinished(() => reporter.stop());
  await reporter.beat();
  return { beat: () => reporter.beat(), stop: () => reporter.stop(), cleared };
}
const isAsked = () =>
  expect
    .poll(async () => (await fixture.db.query("select from ops.request")).rowCount, {
      timeout: 10_000,
    })
    .toBe(1);
const eventsOf = async (id: string) => {
  const { rows } = await fixture.db.query(
    "select type, data::jsonb as data from event_log.event where stream = $1 order by revision",
    [`system-${id}`],
  );
  return rows;
};
const jobOf = async (id: string) =>
  (await fixture.db.query("select kind, state from command.job where id = $1", [id])).rows[0];
const linesOf = async (id: string) =>
  (
    await fixture.db.query(
      "select target, outcome, message from command.job_line where job_id = $1 order by number",
      [id],
    )
  ).rows;

describe("clear-cache", () => {
  it("clears each process's caches once, and reports how many entries", async () => {
    const processes = [await aProcess(3), await aProcess(4)];
    const reply = await act();
    expect(reply.statusCode, reply.body).toBe(200);
    const id = reply.json().data.job_id;
    await isAsked();
    for (const each of [...processes, ...processes]) await each.beat();
    await fixture.api.jobs.settled();
    expect(processes.map(({ cleared }) => cleared)).toEqual([[3], [4]]);
    expect(await jobOf(id)).toEqual({ kind: "clear-cache", state: "done" });
    const messages = (await linesOf(id)).map(({ message }) => message);
    expect(messages.toSorted()).toEqual([
      "query-api removed 3 entries.",
      "query-api removed 4 entries.",
      expect.stringContaining("web clears its images"),
    ]);
    expect(await eventsOf(id)).toEqual([
      { type: "SystemActionStarted", data: { job_id: id, action: "clear-cache" } },
      {
        type: "SystemActionEnded",
        data: { job_id: id, action: "clear-cache", outcome: "done", count: 7 },
      },
    ]);
  });

  it("does not affect processes that begin after the request", async () => {
    const before = await aProcess(1);
    const id = (await act()).json().data.job_id;
    await isAsked();
    const later = await aProcess(5);
    await later.beat();
    await before.beat();
    await fixture.api.jobs.settled();
    await later.beat();
    expect(later.cleared).toEqual([]);
    expect(await linesOf(id)).toHaveLength(2);
  });

  it("expires after an hour", async () => {
    const process = await aProcess(1);
    await fixture.db.query(
      `update ops.process set began_at = now() - interval '3 hours';
       insert into ops.request values ('${randomUUID()}', 'clear-cache', now() - interval '2 hours')`,
    );
    await process.beat();
    expect(process.cleared).toEqual([]);
    await act();
    // The next request deletes the old one.
    const ages = async () =>
      (
        await fixture.db.query(
          "select asked_at < now() - interval '1 hour' as old from ops.request",
        )
      ).rows;
    await expect.poll(ages, { timeout: 10_000 }).toEqual([{ old: false }]);
    await process.beat();
    await fixture.api.jobs.settled();
    expect(process.cleared).toEqual([1]);
  });

  it("does not wait for a process that stops in the meantime", async () => {
    const [stays, stops] = [await aProcess(1), await aProcess(1)];
    const id = (await act()).json().data.job_id;
    await isAsked();
    await stops.stop();
    await stays.beat();
    await fixture.api.jobs.settled();
    expect(await jobOf(id)).toMatchObject({ state: "done" });
  });

  it("runs one at a time, and once per Idempotency-Key", async () => {
    const process = await aProcess(1);
    const key = randomUUID();
    const first = await act(CLEAR, "admin", key);
    expect((await act(CLEAR, "admin", key)).json().data).toEqual(first.json().data);
    const second = await act();
    expect(refusal(second)).toEqual([409, "job_running"]);
    await isAsked();
    await process.beat();
    await fixture.api.jobs.settled();
  });

  it("is logged as stopped when someone stops it", async () => {
    await aProcess(1);
    const id = (await act()).json().data.job_id;
    await isAsked();
    await fixture.call("POST", `/prod/api/system/jobs/${id}/stop`, { as: "admin", body: {} });
    await fixture.api.jobs.settled();
    expect(await jobOf(id)).toMatchObject({ state: "stopped" });
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: "SystemActionEnded",
      data: { outcome: "stopped" },
    });
  });
});

it("rejects other actions", async () => {
  for (const body of [{}, { action: "reboot" }, { ...CLEAR, force: true }])
    expect((await act(body)).statusCode).toBe(400);
  expect((await fixture.db.query("select from ops.request")).rowCount).toBe(0);
});
