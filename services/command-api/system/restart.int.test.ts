import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";

let fixture: Fixture;
let asked = 0;
beforeAll(async () => {
  fixture = await startCommandApi({
    restart: () => {
      asked += 1;
      void fixture.api.jobs.end();
    },
  });
});
afterAll(() => fixture.close());

const act = () =>
  fixture.call("POST", "/prod/api/system/actions", { as: "admin", body: { action: "restart" } });

it("asks for the password when it was shown more than fifteen minutes ago", async () => {
  await fixture.db.query("update command.session set proved_at = now() - interval '16 minutes'");
  const reply = await act();
  expect([reply.statusCode, reply.json().error.code]).toEqual([403, "proof_required"]);
  expect(asked).toBe(0);
  await fixture.db.query("update command.session set proved_at = now()");
});

it("ends the process once, and its job when the next one has begun", async () => {
  const reply = await act();
  expect(reply.statusCode, reply.body).toBe(200);
  const id = reply.json().data.job_id;
  await fixture.api.jobs.settled();
  const jobOf = async () =>
    (await fixture.db.query("select state, attempts from command.job where id = $1", [id])).rows[0];
  expect(await jobOf()).toMatchObject({ state: "running" });
  const next = await fixture.another();
  next.jobs.look();
  await next.jobs.settled();
  expect(await jobOf()).toMatchObject({ state: "done" });
  expect(asked).toBe(1);
  const { rows } = await fixture.db.query(
    "select type, data::jsonb ->> 'outcome' as outcome from event_log.event where stream = $1 order by revision",
    [`system-${id}`],
  );
  expect(rows).toEqual([
    { type: "SystemActionStarted", outcome: null },
    { type: "SystemActionEnded", outcome: "done" },
  ]);
});
