import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { BackupReport, BackupRun, BackupTask } from "#operations/backup-table.ts";
import { forFile } from "#test-kit/for-file.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { CommandHandler } from "../kernel/handler.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { BackupSchedule } from "./backup-schedule.ts";
import { Backups } from "./backups.ts";

const MADE: BackupReport = {
  outcome: "made",
  name: "registry-2026-11-23t02-00-00-000z",
  events: 12,
  files: 1,
  bytes: 1_250_000,
  removed: 1,
  kept: 7,
  notes: [],
};

const RUN = {
  id: "by hand",
  task: { task: "make", byHand: true },
  isLeft: () => false,
  wrote: () => undefined,
} as const;

const fixture = forFile(() => startCommandApi({ backups: { make, time: "02:00" } }));
let answer: (signal: AbortSignal) => Promise<BackupReport>;
let begun: PromiseWithResolvers<void>;
const tasks: BackupTask[] = [];
const make = async (signal: AbortSignal, { task }: BackupRun) => {
  tasks.push(task);
  begun.resolve();
  return answer(signal);
};
beforeEach(() => {
  begun = Promise.withResolvers();
  answer = async () => MADE;
});

const act = () =>
  fixture.call("POST", "/prod/api/system/actions", { as: "admin", body: { action: "backup" } });
const jobOf = async (id: string) => {
  const { rows } = await fixture.db.query(
    "select state, error_message from command.job where id = $1",
    [id],
  );
  return rows[0];
};
const eventsOf = async (type: string) =>
  (
    await fixture.db.query(
      "select data::jsonb as data from event_log.event where type = $1 and data::jsonb ->> 'action' = 'backup' order by position",
      [type],
    )
  ).rows.map(({ data }) => data);
/** Resolves once the signal is aborted, like a process that removes what it has written. */
const untilStopped = (signal: AbortSignal) =>
  new Promise<BackupReport>((resolve) => {
    signal.addEventListener("abort", () => resolve({ outcome: "failed", reason: "other" }));
  });

describe("a backup on request", () => {
  it("reports its contents, and logs its number of events", async () => {
    const id = (await act()).json().data.job_id;
    await fixture.api.jobs.settled();
    expect(await jobOf(id)).toMatchObject({ state: "done" });
    expect(tasks.at(-1)).toEqual({ task: "make", byHand: true });
    const { rows } = await fixture.db.query<{ message: string }>(
      "select message from command.job_line where job_id = $1 order by number",
      [id],
    );
    expect(rows.map(({ message }) => message)).toEqual([
      "registry-2026-11-23t02-00-00-000z: 12 events, 1 file, 1.3 MB.",
      "The archive and its keys were read completely: the backup is intact.",
      "7 backups kept, 1 older one deleted.",
    ]);
    expect((await eventsOf("SystemActionEnded")).at(-1)).toEqual({
      job_id: id,
      action: "backup",
      outcome: "done",
      count: 12,
    });
  });

  it("requires a password check within the last fifteen minutes", async () => {
    let made = 0;
    answer = async () => {
      made += 1;
      return MADE;
    };
    await fixture.db.query("update command.session set proved_at = now() - interval '16 minutes'");
    const reply = await act();
    await fixture.db.query("update command.session set proved_at = now()");
    await fixture.api.jobs.settled();
    expect(refusal(reply)).toEqual([403, "proof_required"]);
    expect(made).toBe(0);
  });

  it("explains why it failed, and what to do", async () => {
    const sentence =
      "The disk that holds /var/backups is full: free some space. No backup was made.";
    answer = async () => ({ outcome: "failed", reason: "refused", sentence });
    const id = (await act()).json().data.job_id;
    await fixture.api.jobs.settled();
    const { state, error_message } = await jobOf(id);
    expect([state, error_message]).toEqual(["failed", sentence]);
    expect((await eventsOf("SystemActionEnded")).at(-1)).toMatchObject({ outcome: "failed" });
  });

  it("can be stopped", async () => {
    answer = untilStopped;
    const id = (await act()).json().data.job_id;
    await begun.promise;
    await fixture.call("POST", `/prod/api/system/jobs/${id}/stop`, { as: "admin", body: {} });
    await fixture.api.jobs.settled();
    expect(await jobOf(id)).toMatchObject({ state: "stopped" });
    expect((await eventsOf("SystemActionEnded")).at(-1)).toMatchObject({ outcome: "stopped" });
  });

  it("is refused if only the operator's command makes backups, like a restart without a supervisor", async () => {
    const other = await startCommandApi();
    for (const [action, words] of [
      ["backup", "npm run backup"],
      ["restart", "your service manager"],
    ]) {
      const reply = await other.call("POST", "/prod/api/system/actions", {
        as: "admin",
        body: { action },
      });
      expect([reply.statusCode, reply.json().error.message]).toEqual([
        409,
        expect.stringContaining(words as string),
      ]);
    }
    await other.close();
  });
});

describe("a check of backups", () => {
  const check = (body: object) =>
    fixture.call("POST", "/prod/api/system/actions", {
      as: "admin",
      body: { action: "check-backups", ...body },
    });

  it("lists them again, and reads the one that is named", async () => {
    answer = async () => ({ outcome: "checked", notes: ["registry-1 is complete"] });
    for (const [body, task] of [
      [{}, { task: "check" }],
      [{ backup: "registry-1" }, { task: "check", name: "registry-1" }],
    ] as const) {
      const id = (await check(body)).json().data.job_id;
      await fixture.api.jobs.settled();
      expect(tasks.at(-1)).toEqual(task);
      expect(await jobOf(id)).toMatchObject({ state: "done" });
      const { rows } = await fixture.db.query(
        "select message from command.job_line where job_id = $1",
        [id],
      );
      expect(rows).toEqual([{ message: "registry-1 is complete" }]);
    }
  });

  it("reports what is wrong with one", async () => {
    const sentence = "The archive /var/backups/registry-1.tar.zst is truncated.";
    answer = async () => ({ outcome: "failed", reason: "refused", sentence });
    const id = (await check({ backup: "registry-1" })).json().data.job_id;
    await fixture.api.jobs.settled();
    expect(await jobOf(id)).toEqual({ state: "failed", error_message: sentence });
  });

  it("accepts the name of a kept backup, which no other action does", async () => {
    for (const backup of ["../registry-1", "registry-1.tar.zst", ""])
      expect((await check({ backup })).statusCode).toBe(400);
    expect((await check({ action: "clear-cache", backup: "registry-1" })).statusCode).toBe(400);
  });
});

describe("the daily backup", () => {
  let isOn = true;
  let time = "02:00";
  const schedule = (now: string | (() => string), backups = new Backups(make)) =>
    new BackupSchedule({
      backups,
      handler: new CommandHandler({
        store: fixture.api.store,
        keys: fixture.api.keys,
        codec: registryCodec,
      }),
      databaseUrl: fixture.databaseUrl,
      isOn: () => isOn,
      time: () => time,
      log: { warn: () => undefined, error: () => undefined },
      now: () => new Date(typeof now === "string" ? now : now()),
    });
  const count = async () => (await eventsOf("SystemActionStarted")).length;
  beforeEach(() => {
    isOn = true;
    time = "02:00";
  });

  it("is made at the time that admins set, from then on", async () => {
    const before = await count();
    let now = "2026-12-20T02:00:00Z";
    const one = schedule(() => now);
    await one.look();
    time = "03:30";
    expect(tasks.at(-1)).toEqual({ task: "make", byHand: false });
    now = "2026-12-21T03:29:00Z";
    await one.look();
    expect((await count()) - before).toBe(1);
    now = "2026-12-21T03:30:00Z";
    await one.look();
    expect((await count()) - before).toBe(2);
  });

  it("is made once a day by processes that learn of a new time one after the other", async () => {
    const before = await count();
    await schedule("2027-02-01T02:00:00Z").look();
    // One knows the time that is set at noon; the others do not yet.
    const times = ["02:00", "11:00", "20:00"];
    for (const hour of ["12:00", "20:00", "23:59"])
      for (const known of times) {
        time = known;
        await schedule(`2027-02-01T${hour}:00Z`).look();
      }
    expect((await count()) - before).toBe(1);
  });

  it("is made once a day, whichever process checks, and however often", async () => {
    const before = await count();
    for (const now of ["2026-12-01T02:00:00Z", "2026-12-01T23:59:00Z", "2026-12-02T01:59:00Z"]) {
      const [one, other] = [schedule(now), schedule(now)];
      await Promise.all([one.look(), other.look()]);
      await one.look();
    }
    expect((await count()) - before).toBe(1);
    await schedule("2026-12-02T02:00:00Z").look();
    expect((await count()) - before).toBe(2);
    expect((await eventsOf("SystemActionEnded")).at(-1)).toMatchObject({
      outcome: "done",
      count: 12,
    });
  });

  it("is not made while it is turned off", async () => {
    const before = await count();
    isOn = false;
    const one = schedule("2026-12-03T02:00:00Z");
    await one.look();
    expect(await count()).toBe(before);
    isOn = true;
    await one.look();
    expect(await count()).toBe(before + 1);
  });

  it("waits while a backup is being made by hand", async () => {
    const before = await count();
    const backups = new Backups(make);
    const byHand = new AbortController();
    answer = untilStopped;
    const made = backups.run(byHand.signal, RUN);
    const one = schedule("2026-12-04T02:00:00Z", backups);
    await one.look();
    expect(await count()).toBe(before);
    await expect(backups.run(byHand.signal, RUN)).rejects.toMatchObject({ code: "job_running" });
    byHand.abort();
    await made;
    answer = async () => MADE;
    await one.look();
    expect(await count()).toBe(before + 1);
  });

  it("is logged as stopped with its process, and made at the next start", async () => {
    answer = untilStopped;
    const one = schedule("2026-12-05T02:00:00Z");
    const looked = one.look();
    await begun.promise;
    await one.stop();
    await looked;
    expect((await eventsOf("SystemActionEnded")).at(-1)).toMatchObject({ outcome: "stopped" });
    answer = async () => MADE;
    await schedule("2026-12-05T03:00:00Z").look();
    expect((await eventsOf("SystemActionEnded")).at(-1)).toMatchObject({ outcome: "done" });
  });

  it("is tried three times a day, an hour apart, and then given up", async () => {
    answer = async () => ({ outcome: "failed", reason: "other" });
    const before = await count();
    const counts: number[] = [];
    let now = "";
    const one = schedule(() => now);
    for (const time of ["02:00", "02:59", "03:00", "04:00", "05:00", "23:00"]) {
      now = `2026-12-06T${time}:00Z`;
      await one.look();
      counts.push((await count()) - before);
    }
    expect(counts).toEqual([1, 1, 2, 3, 3, 3]);
    await schedule("2026-12-06T23:30:00Z").look();
    expect((await count()) - before).toBe(3);
  });

  it("is retried if its process crashed, but not while that is still making it", async () => {
    const before = await count();
    const held = Promise.withResolvers<BackupReport>();
    onTestFinished(() => held.resolve(MADE));
    answer = () => held.promise;
    const first = schedule("2026-12-07T02:00:00Z").look();
    await begun.promise;
    await schedule("2026-12-07T02:00:00Z").look();
    expect((await count()) - before).toBe(1);
    // Its connection breaks, as in a crash, and its end is never logged. Its lock is free once the connection has
    // ended.
    await fixture.db.query(
      "select pg_terminate_backend(pid, 30000) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())",
    );
    answer = async () => MADE;
    await schedule("2026-12-07T02:01:00Z").look();
    expect((await count()) - before).toBe(2);
    const [interrupted, made] = (await eventsOf("SystemActionEnded")).slice(-2);
    expect([interrupted.outcome, made.outcome]).toEqual(["failed", "done"]);
    held.resolve(MADE);
    await first;
  });

  it("is not made twice if only older ones could not be removed", async () => {
    answer = async () => ({ outcome: "failed", reason: "unrotated", sentence: "why" });
    const before = await count();
    await schedule("2026-12-08T02:00:00Z").look();
    await schedule("2026-12-08T05:00:00Z").look();
    expect((await count()) - before).toBe(1);
  });
});
