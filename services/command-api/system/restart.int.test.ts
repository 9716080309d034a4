import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { Caches } from "#operations/request-table.ts";
import { type Fixture, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { RequestStore } from "./request.store.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi({ restart: () => undefined });
});
afterAll(() => fixture.close());

const act = () =>
  fixture.call("POST", "/prod/api/system/actions", { as: "admin", body: { action: "restart" } });

/** A process that reports and checks for requests only when told to. */
function aProcess(restart?: () => void) {
  const log = pino({ level: "silent" });
  const deps = {
    pool: fixture.db,
    service: "mailer",
    parts: [],
    caches: new Caches(),
    log,
  } as const;
  const reporter = new ProcessReporter({ ...deps, restart });
  onTestFinished(() => reporter.stop());
  return reporter;
}
const answersTo = async (id: string) =>
  (await fixture.db.query("select from ops.answer where request_id = $1", [id])).rowCount;

it("requires a password check within the last fifteen minutes", async () => {
  await fixture.db.query("update command.session set proved_at = now() - interval '16 minutes'");
  const reply = await act();
  expect(refusal(reply)).toEqual([403, "proof_required"]);
  await fixture.db.query("update command.session set proved_at = now()");
  expect((await fixture.db.query("select from ops.request")).rowCount).toBe(0);
});

it("asks every process with one row, and is done", async () => {
  const reply = await act();
  expect(reply.statusCode, reply.body).toBe(200);
  const id = reply.json().data.job_id;
  await fixture.api.jobs.settled();
  const { rows: jobs } = await fixture.db.query(
    "select state, (select action from ops.request r where r.id = j.id) from command.job j where id = $1",
    [id],
  );
  expect(jobs).toEqual([{ state: "done", action: "restart" }]);
  const { rows } = await fixture.db.query(
    "select type, data::jsonb ->> 'outcome' as outcome from event_log.event where stream = $1 order by revision",
    [`system-${id}`],
  );
  expect(rows).toEqual([
    { type: "SystemActionStarted", outcome: null },
    { type: "SystemActionEnded", outcome: "done" },
  ]);
});

it("waits up to a minute, and skips processes that are newer, stopped, or not supervised", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const [restart, stopped] = [vi.fn(), vi.fn()];
  const [process, other, alone] = [aProcess(restart), aProcess(stopped), aProcess()];
  const all = [process, other, alone];
  for (const each of all) await each.beat();
  const id = randomUUID();
  await new RequestStore(fixture.db).ask(id, "restart");
  const began = vi.fn();
  const next = aProcess(began);
  for (const each of [...all, next, ...all, next]) await each.beat();
  await other.stop();
  vi.advanceTimersByTime(29_999);
  expect(restart).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(restart).toHaveBeenCalledOnce();
  expect(began).not.toHaveBeenCalled();
  expect(stopped).not.toHaveBeenCalled();
  expect(await answersTo(id)).toBe(3);
});
