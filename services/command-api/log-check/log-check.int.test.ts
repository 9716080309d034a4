import { beforeAll, describe, expect, it } from "vitest";
import { LOG_CHECK } from "#contracts/http/audit.ts";
import { JOB } from "#contracts/http/jobs.ts";
import { forFile } from "#test-kit/for-file.ts";
import { JobStore } from "../jobs/job.store.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());
let report: string;
beforeAll(async () => {
  report = await submit(fixture);
  await submit(fixture);
});

const check = () => fixture.call("POST", LOG_CHECK, { body: {}, as: "admin" });
const jobOf = async (id: string) =>
  (await fixture.db.query("select * from command.job where id = $1", [id])).rows[0];
async function checked() {
  const answer = await check();
  expect(answer.statusCode, answer.body).toBe(200);
  await fixture.api.jobs.settled();
  return jobOf(answer.json().data.job_id);
}
const eventsInLog = async () =>
  (await fixture.db.query("select count(*)::int as n from event_log.event")).rows[0].n;

/** Runs something while the log is locked against reads. */
async function whileLocked(run: () => Promise<void>) {
  const client = await fixture.db.connect();
  try {
    await client.query("begin; lock table event_log.event in access exclusive mode");
    await run();
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe("a check of the whole log", () => {
  it("counts the verified events", async () => {
    // The check itself logs an event first.
    const events = (await eventsInLog()) + 1;
    expect(await checked()).toMatchObject({
      kind: "log_check",
      state: "done",
      done: events,
      total: events,
    });
  });

  it("names the first event that was tampered with", async () => {
    const where = [`report-${report}`];
    const change = async (from: string, to: string) => {
      await fixture.db.query("alter table event_log.event disable trigger append_only");
      await fixture.db.query(
        `update event_log.event set metadata = replace(metadata::text, '"command":"${from}"', '"command":"${to}"')::json
         where stream = $1 and revision = 0`,
        where,
      );
      await fixture.db.query("alter table event_log.event enable always trigger append_only");
    };
    const { rows } = await fixture.db.query(
      "select id, position from event_log.event where stream = $1 and revision = 0",
      where,
    );
    await change("SubmitReport", "ApproveReport");
    const { state, error_code, error_message, done } = await checked();
    expect([state, error_code]).toEqual(["failed", "log_broken"]);
    expect(error_message).toContain(`event ${rows[0].id} (stream report-${report}, revision 0`);
    expect(error_message).toContain("was changed");
    // The events before it have been verified.
    expect(done).toBe(Number(rows[0].position) - 1);
    await change("ApproveReport", "SubmitReport");
    expect((await checked()).state).toBe("done");
  });

  it.each(["admin", "auditor"] as const)("is logged with the %s who started it", async (as) => {
    const begun = await fixture.call("POST", LOG_CHECK, { body: {}, as });
    expect(begun.statusCode, begun.body).toBe(200);
    await fixture.api.jobs.settled();
    const id = begun.json().data.job_id;
    const { state, account_id, done } = await jobOf(id);
    expect(state).toBe("done");
    const { rows } = await fixture.db.query(
      "select type, data, metadata from event_log.event where stream = $1 order by revision",
      [`system-${id}`],
    );
    expect(rows.map(({ type, data, metadata }) => ({ type, data, actor: metadata.actor }))).toEqual(
      [
        {
          type: "SystemActionStarted",
          data: { job_id: id, action: "log-check" },
          actor: { id: account_id, role: as },
        },
        {
          type: "SystemActionEnded",
          data: { job_id: id, action: "log-check", outcome: "done", count: done },
          actor: { id: account_id, role: as },
        },
      ],
    );
  });

  it("ends when its starter is no longer an auditor, and auditors can stop no other job", async () => {
    const begun = await fixture.call("POST", LOG_CHECK, { body: {}, as: "auditor" });
    await fixture.api.jobs.settled();
    const { id, account_id } = await jobOf(begun.json().data.job_id);
    const again =
      "update command.job set state = 'running', ended_at = null, kind = $2 where id = $1";
    await fixture.db.query(again, [id, "bulk"]);
    const stop = () =>
      fixture.call("POST", `${JOB.replace(":id", id)}/stop`, { body: {}, as: "auditor" });
    expect((await stop()).statusCode).toBe(404);
    await fixture.db.query(again, [id, "log_check"]);
    expect((await stop()).json().data.state).toBe("stopping");
    const store = new JobStore(fixture.db, 60_000);
    const isAllowed = async (role: string) => {
      await fixture.db.query("update command.account set role = $2 where id = $1", [
        account_id,
        role,
      ]);
      await fixture.db.query("update command.job set runner = $2 where id = $1", [id, account_id]);
      return (await store.progress(id, account_id, 1))?.allowed;
    };
    expect([await isAllowed("user"), await isAllowed("auditor")]).toEqual([false, true]);
    await fixture.db.query(
      "update command.job set state = 'stopped', ended_at = now() where id = $1",
      [id],
    );
  });

  it("can be stopped before it has read the log", async () => {
    let id = "";
    await whileLocked(async () => {
      id = (await check()).json().data.job_id;
      await expect.poll(async () => (await jobOf(id)).state).toBe("running");
      const stop = await fixture.call("POST", `${JOB.replace(":id", id)}/stop`, {
        body: {},
        as: "admin",
      });
      expect(stop.json().data.state).toBe("stopping");
    });
    await fixture.api.jobs.settled();
    expect(await jobOf(id)).toMatchObject({ state: "stopped", done: 0 });
  });
});
