import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { Type } from "typebox";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { DomainError } from "#contracts/domain-error.ts";
import { strict } from "#contracts/report/fields.ts";
import { forFile } from "#test-kit/for-file.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { Caller } from "../kernel/envelope.ts";
import { CommandHandler } from "../kernel/handler.ts";
import { systemActionKind } from "../system/system-action.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { JobStore } from "./job.store.ts";
import { type JobKind, type JobRun, jobKind } from "./job-kind.ts";
import { Jobs } from "./jobs.ts";

const fixture = forFile(() => startCommandApi());
let accountId: string;
beforeAll(async () => {
  const { rows } = await fixture.db.query("select id from command.account where role = 'admin'");
  accountId = rows[0].id;
});
beforeEach(() => fixture.db.query("delete from command.job"));

/** A lease so short that a test can wait for it to expire. */
const LEASE_MS = 400;
const SECRET = "said only in the input";

/** A process with its own pool and the one kind that a test needs. */
function aProcess(kind: Partial<JobKind> & Pick<JobKind, "run">, leaseMs = LEASE_MS) {
  const pool = new pg.Pool({ connectionString: fixture.databaseUrl, max: 4 });
  pool.on("error", () => undefined);
  let isOpen = true;
  const jobs = new Jobs({
    store: new JobStore(pool, leaseMs),
    keys: fixture.api.keys,
    log: pino({ level: "silent" }),
    times: { lookMs: 50, renewMs: 50 },
    kinds: [
      jobKind({
        name: "bulk",
        input: strict({ text: Type.String() }),
        whenInterrupted: "continue",
        ...kind,
      }),
    ],
  });
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await pool.end();
  };
  onTestFinished(async () => {
    if (isOpen) await jobs.end();
    await close();
  });
  /** Cuts it off from the database, as if it had died. */
  return { jobs, die: close };
}

const caller = (): Caller => ({
  actor: { id: accountId, role: "admin" },
  client: { ip: "203.0.113.9", user_agent: "Firefox" },
  origin: "live",
  correlationId: randomUUID(),
  now: new Date().toISOString(),
});
const commands = () =>
  new CommandHandler({
    store: fixture.api.store,
    keys: fixture.api.keys,
    codec: registryCodec,
  });
const begin = (jobs: Jobs, id = randomBytes(32).toString("hex"), text = SECRET, total = 3) =>
  jobs.begin("bulk", { text }, { caller: caller(), id, body: {} }, total);
const jobOf = async (id: string) =>
  (await fixture.db.query("select * from command.job where id = $1", [id])).rows[0];
const linesOf = async (id: string) =>
  (
    await fixture.db.query(
      "select number, target from command.job_line where job_id = $1 order by number",
      [id],
    )
  ).rows;
const waitFor = (id: string, state: string) =>
  expect.poll(async () => (await jobOf(id)).state, { timeout: 15_000 }).toBe(state);

/** A promise that can be resolved from outside. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const aborted = (run: JobRun) =>
  new Promise<void>((resolve) => {
    if (run.signal.aborted) resolve();
    else run.signal.addEventListener("abort", () => resolve());
  });

describe("a job", () => {
  it("runs with its input, as its account, and deletes the input when it ends", async () => {
    const seen: unknown[] = [];
    const at = gate();
    const { jobs } = aProcess({
      async run(input, run) {
        await at.opened;
        seen.push(input, run.caller());
        await run.line({ target: "a", outcome: "done", position: "2" });
        await run.line({
          target: "b",
          outcome: "refused",
          code: "x",
          message: "No",
          position: "1",
        });
      },
    });
    const { id } = await begin(jobs);
    const stored = await fixture.db.query("select j::text from command.job j where id = $1", [id]);
    expect(stored.rows[0].j).not.toContain(SECRET);
    expect(stored.rows[0].j).not.toContain("203.0.113.9");
    at.open();
    await jobs.settled();
    expect(seen).toEqual([
      { text: SECRET },
      {
        actor: { id: accountId, role: "admin" },
        client: { ip: "203.0.113.9", user_agent: "Firefox" },
        origin: "live",
        correlationId: id,
        now: expect.any(String),
      },
    ]);
    expect(await jobOf(id)).toMatchObject({
      state: "done",
      done: 2,
      total: 3,
      position: "2",
      sealed: null,
      runner: null,
    });
    expect(await linesOf(id)).toEqual([
      { number: 1, target: "a" },
      { number: 2, target: "b" },
    ]);
  });

  it("starts once per Idempotency-Key, and is refused with another body", async () => {
    let runs = 0;
    const { jobs } = aProcess({
      async run() {
        runs += 1;
      },
    });
    const key = randomBytes(32).toString("hex");
    const both = await Promise.all([begin(jobs, key), begin(jobs, key)]);
    expect(both[0]).toEqual(both[1]);
    await jobs.settled();
    expect(await begin(jobs, key)).toEqual(both[0]);
    await expect(begin(jobs, key, "another")).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
    await jobs.settled();
    expect(runs).toBe(1);
  });

  it("is taken by one of several processes", async () => {
    const takers: number[] = [];
    const processes = [0, 1, 2].map((n) =>
      aProcess({
        async run(_, run) {
          takers.push(n);
          await run.line({ target: "a", outcome: "done" });
        },
      }),
    );
    const [first] = processes;
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await begin((first as { jobs: Jobs }).jobs)).id),
    );
    for (const { jobs } of processes) jobs.look();
    for (const { jobs } of processes) await jobs.settled();
    expect(takers).toHaveLength(3);
    for (const id of ids) expect(await linesOf(id)).toHaveLength(1);
  });

  it("fails with the message of a refusal, but not of any other error", async () => {
    const errors = [new DomainError("forbidden", "Not today"), new Error(SECRET)];
    const { jobs } = aProcess({
      async run() {
        throw errors.shift();
      },
    });
    const refused = await begin(jobs);
    await jobs.settled();
    const broken = await begin(jobs);
    await jobs.settled();
    expect(await jobOf(refused.id)).toMatchObject({
      state: "failed",
      error_code: "forbidden",
      error_message: "Not today",
    });
    const { state, error_code, error_message } = await jobOf(broken.id);
    expect([state, error_code]).toEqual(["failed", "internal_error"]);
    expect(error_message).not.toContain(SECRET);
  });

  it("is refused if one of a single kind, or five of the account, are unfinished", async () => {
    const at = gate();
    const single = aProcess({ isSingle: true, run: () => at.opened });
    await begin(single.jobs);
    await expect(begin(single.jobs)).rejects.toMatchObject({ code: "job_running" });
    at.open();
    await single.jobs.settled();
    const next = await begin(single.jobs);
    await single.jobs.settled();
    expect((await jobOf(next.id)).state).toBe("done");

    const wait = gate();
    const many = aProcess({ run: () => wait.opened });
    for (let n = 0; n < 5; n += 1) await begin(many.jobs);
    await expect(begin(many.jobs)).rejects.toMatchObject({ code: "job_running" });
    wait.open();
    await many.jobs.settled();
  });
});

describe("stopping a job", () => {
  it("ends it midway, even from another process, and a second stop is a no-op", async () => {
    const started = gate();
    const one = aProcess({
      async run(_, run) {
        await run.line({ target: "a", outcome: "done" });
        started.open();
        await aborted(run);
      },
    });
    const other = aProcess({ run: async () => undefined });
    const { id } = await begin(one.jobs);
    await started.opened;
    expect(await other.jobs.stop(id, caller())).toEqual({ id, state: "stopping" });
    await waitFor(id, "stopped");
    expect(await jobOf(id)).toMatchObject({ done: 1, stop_asked_by: accountId, sealed: null });
    expect(await other.jobs.stop(id, caller())).toEqual({ id, state: "stopped" });
    await expect(other.jobs.stop(randomUUID(), caller())).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("immediately ends one that hasn't started", async () => {
    const ran: string[] = [];
    const { jobs } = aProcess({
      async run(_, run) {
        ran.push(run.id);
      },
    });
    const id = randomUUID();
    await fixture.db.query(
      `insert into command.job (id, kind, account_id, state, sealed, body_mac)
       values ($1, 'bulk', $2, 'queued', '{}', '')`,
      [id, accountId],
    );
    expect(await jobs.stop(id, caller())).toEqual({ id, state: "stopped" });
    jobs.look();
    await jobs.settled();
    expect(ran).toEqual([]);
    expect(await jobOf(id)).toMatchObject({ sealed: null, ended_at: expect.any(Date) });
  });
});

describe("a process that dies during a job", () => {
  it("leaves it to the next one, which knows what is done, and writes nothing more", async () => {
    const begun = gate();
    const goOn = gate();
    let late: unknown;
    const zombie = gate();
    // Its lease is not renewed: once cut off, the renewals fail like its writes.
    const one = aProcess({
      async run(_, run) {
        await run.line({ target: "a", outcome: "done" });
        begun.open();
        await goOn.opened;
        late = await run.line({ target: "b", outcome: "done" }).catch((error: unknown) => error);
        zombie.open();
      },
    });
    const { id } = await begin(one.jobs);
    await begun.opened;
    await one.die();
    const seen: unknown[] = [];
    const next = aProcess({
      async run(input, run) {
        seen.push(input, run.attempt, [...run.finished]);
        await run.line({ target: "b", outcome: "done" });
      },
    });
    next.jobs.start();
    await waitFor(id, "done");
    expect(seen).toEqual([{ text: SECRET }, 2, ["a"]]);
    goOn.open();
    await zombie.opened;
    expect(late).toBeInstanceOf(Error);
    expect(await linesOf(id)).toEqual([
      { number: 1, target: "a" },
      { number: 2, target: "b" },
    ]);
  });

  it("writes nothing if it comes back after losing its lease", async () => {
    const begun = gate();
    const goOn = gate();
    let late: unknown;
    const ended = gate();
    const slow = aProcess({
      async run(_, run) {
        begun.open();
        await goOn.opened;
        late = await run.line({ target: "late", outcome: "done" }).catch((error: unknown) => error);
        ended.open();
      },
    });
    const { id } = await begin(slow.jobs);
    await begun.opened;
    // Another process has taken the job in the meantime.
    await fixture.db.query(
      "update command.job set runner = $2, lease_until = now() + interval '1 hour' where id = $1",
      [id, randomUUID()],
    );
    goOn.open();
    await ended.opened;
    expect((late as Error).name).toBe("RunOver");
    await slow.jobs.settled();
    expect(await linesOf(id)).toEqual([]);
    expect(await jobOf(id)).toMatchObject({ state: "running", done: 0 });
  });

  it("fails a job that must not be repeated", async () => {
    let runs = 0;
    const next = aProcess({
      whenInterrupted: "fail",
      async run() {
        runs += 1;
      },
    });
    const begun = gate();
    const first = aProcess({
      whenInterrupted: "fail",
      async run(_, run) {
        begun.open();
        await aborted(run);
      },
    });
    const { id } = await begin(first.jobs);
    await begun.opened;
    await first.die();
    next.jobs.start();
    await waitFor(id, "failed");
    expect([(await jobOf(id)).error_code, runs]).toEqual(["interrupted", 0]);
  });

  it.each([{ state: "failed" }, { state: "stopped" }] as const)(
    "records the end of a system action in the log, as $state",
    async ({ state }) => {
      const begun = gate();
      const action = systemActionKind(
        {
          name: "backup",
          whenInterrupted: "fail",
          async run(run) {
            begun.open();
            await aborted(run);
            return undefined;
          },
        },
        { handler: commands() },
      );
      const [first, next] = [aProcess(action), aProcess(action)];
      const envelope = { caller: caller(), id: randomBytes(32).toString("hex"), body: {} };
      const { id } = await first.jobs.begin("backup", {}, envelope);
      await begun.opened;
      await first.die();
      if (state === "stopped") await next.jobs.stop(id, caller());
      next.jobs.start();
      await waitFor(id, state);
      const { rows } = await fixture.db.query(
        "select type, data::jsonb ->> 'outcome' as outcome from event_log.event where stream = $1 order by revision",
        [`system-${id}`],
      );
      expect(rows).toEqual([
        { type: "SystemActionStarted", outcome: null },
        { type: "SystemActionEnded", outcome: state },
      ]);
    },
  );

  it("records no end in the log for an action that never started", async () => {
    const action = systemActionKind(
      { name: "backup", whenInterrupted: "fail", run: async () => undefined },
      { handler: commands() },
    );
    const { jobs } = aProcess(action);
    const id = randomUUID();
    await fixture.db.query(
      `insert into command.job (id, kind, account_id, state, sealed, body_mac, attempts)
       values ($1, 'backup', $2, 'running', '{}', '', 5)`,
      [id, accountId],
    );
    jobs.look();
    await jobs.settled();
    expect(await jobOf(id)).toMatchObject({ state: "failed", error_code: "interrupted" });
    const { rowCount } = await fixture.db.query("select from event_log.event where stream = $1", [
      `system-${id}`,
    ]);
    expect(rowCount).toBe(0);
  });

  it("keeps the job until its kind has recorded the end", async () => {
    const outcomes: string[] = [];
    const kind: Pick<JobKind, "run" | "abandoned"> = {
      run: async () => undefined,
      async abandoned(_, outcome) {
        outcomes.push(outcome);
        if (outcomes.length === 1) throw new Error("the log is away");
      },
    };
    const { jobs } = aProcess(kind, 3_600_000);
    const id = randomUUID();
    await fixture.db.query(
      `insert into command.job (id, kind, account_id, state, sealed, body_mac, attempts)
       values ($1, 'bulk', $2, 'running', '{}', '', 5)`,
      [id, accountId],
    );
    jobs.look();
    await jobs.settled();
    expect((await jobOf(id)).state).toBe("running");
    await fixture.db.query("update command.job set lease_until = now() - interval '1 s'");
    jobs.look();
    await waitFor(id, "failed");
    expect(outcomes).toEqual(["failed", "failed"]);
  });

  it("releases its job immediately on an orderly shutdown", async () => {
    const begun = gate();
    const one = aProcess(
      {
        async run(_, run) {
          begun.open();
          await aborted(run);
        },
      },
      3_600_000,
    );
    const { id } = await begin(one.jobs);
    await begun.opened;
    await one.jobs.end();
    const attempts: number[] = [];
    const next = aProcess({
      async run(_, run) {
        attempts.push(run.attempt);
      },
    });
    next.jobs.start();
    await waitFor(id, "done");
    expect(attempts).toEqual([1]);
  });
});

it("ends a job whose account is no longer allowed to run it", async () => {
  const begun = gate();
  const { jobs } = aProcess({
    async run(_, run) {
      begun.open();
      await aborted(run);
    },
  });
  const { id } = await begin(jobs);
  await begun.opened;
  await fixture.db.query("update command.account set status = 'banned' where id = $1", [accountId]);
  onTestFinished(async () => {
    await fixture.db.query("update command.account set status = 'active' where id = $1", [
      accountId,
    ]);
  });
  await waitFor(id, "failed");
  expect((await jobOf(id)).error_code).toBe("forbidden");
});

it("removes jobs and their lines thirty days after their end", async () => {
  const { jobs } = aProcess({
    async run(_, run) {
      await run.line({ target: "a", outcome: "done" });
    },
  });
  const { id } = await begin(jobs);
  await jobs.settled();
  const day = 24 * 3_600_000;
  await jobs.sweep(Date.now() + 29 * day);
  expect(await linesOf(id)).toHaveLength(1);
  await jobs.sweep(Date.now() + 31 * day);
  expect([await jobOf(id), await linesOf(id)]).toEqual([undefined, []]);
});
