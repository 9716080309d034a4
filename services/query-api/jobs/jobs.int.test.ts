import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { insertRow } from "../testing/insert-row.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
beforeAll(async () => {
  await service.moveTo(5);
});

const SEALED = "a sealed input";

async function addJob(columns: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const row: Record<string, unknown> = {
    id,
    kind: "bulk",
    account_id: service.accounts.admin,
    state: "running",
    sealed: JSON.stringify({ key: "k", box: SEALED }),
    body_mac: SEALED,
    runner: randomUUID(),
    created_at: "2026-11-23T10:00:00Z",
    ...columns,
  };
  await insertRow(service.db, "command.job", row);
  return id;
}

const addLine = (job: string, number: number, outcome: string, message: string | null = null) =>
  service.db.query(
    `insert into command.job_line (job_id, number, target, outcome, code, message, at)
     values ($1, $2, $3, $4, $5, $6, '2026-11-23T10:00:01Z')`,
    [job, number, `report ${number}`, outcome, message && "conflict", message],
  );
const read = (path: string) => service.get(`/prod/api/system/jobs${path}`, { as: "admin" });

it("shows a job's progress, with the lines after the caller's last one", async () => {
  const id = await addJob({ done: 3, total: 10, started_at: "2026-11-23T10:00:00.500Z" });
  await addLine(id, 1, "done");
  await addLine(id, 2, "conflict", "Someone else changed this in the meantime.");
  await addLine(id, 3, "done");
  const whole = await read(`/${id}`);
  expect(whole.json().data).toMatchObject({
    id,
    kind: "bulk",
    state: "running",
    account_id: service.accounts.admin,
    done: 3,
    total: 10,
    created_at: "2026-11-23T10:00:00.000Z",
    started_at: "2026-11-23T10:00:00.500Z",
    counts: { done: 2, conflict: 1, refused: 0, gone: 0, failed: 0 },
  });
  expect(whole.json().data).not.toHaveProperty("ended_at");
  expect((await read(`/${id}?after=1`)).json().data.lines).toEqual([
    {
      number: 2,
      target: "report 2",
      outcome: "conflict",
      code: "conflict",
      message: "Someone else changed this in the meantime.",
      at: "2026-11-23T10:00:01.000Z",
    },
    { number: 3, target: "report 3", outcome: "done", at: "2026-11-23T10:00:01.000Z" },
  ]);
});

it("shows auditors only log checks, whoever started them", async () => {
  const check = await addJob({ kind: "log_check", single: "log_check", done: 3 });
  const bulk = await addJob();
  const asAuditor = (path: string) =>
    service.get(`/prod/api/system/jobs${path}`, { as: "auditor" });
  expect((await asAuditor(`/${check}`)).json().data).toMatchObject({ id: check, done: 3 });
  const other = await asAuditor(`/${bulk}`);
  expect([other.statusCode, other.json().error.code]).toEqual([404, "not_found"]);
  const listed = (await asAuditor("")).json().data.jobs;
  expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(["log_check"]);
  await service.db.query("delete from command.job where id = $1", [check]);
});

it("shows why a job failed, and the position from which reads reflect it", async () => {
  const id = await addJob({
    state: "failed",
    error_code: "forbidden",
    error_message: "Not any more",
    ended_at: "2026-11-23T10:01:00Z",
    stop_asked_by: service.accounts.admin,
    position: "00000000000000000004",
  });
  const reply = await read(`/${id}`);
  expect(reply.json().data).toMatchObject({
    state: "failed",
    error: { code: "forbidden", message: "Not any more" },
    stop_asked_by: service.accounts.admin,
    ended_at: "2026-11-23T10:01:00.000Z",
    lines: [],
  });
  const position = reply.headers["x-position"] as string;
  const list = await service.get("/prod/api/admin/reports", {
    as: "admin",
    headers: { "x-min-position": position },
  });
  expect([list.statusCode, list.headers["x-stale"]]).toEqual([200, undefined]);
});

it("lists the newest jobs with who started them, and none of their inputs", async () => {
  const newest = await addJob({ created_at: "2099-01-01T00:00:00Z" });
  const list = await read("");
  expect(list.json().data.jobs[0]).toMatchObject({
    id: newest,
    done: 0,
    by: expect.stringMatching(/ Ruiz$/),
  });
  for (const body of [list.body, (await read(`/${newest}`)).body]) {
    expect(body).not.toContain(SEALED);
    expect(body).not.toContain("runner");
  }
});

it("lists the jobs of one page, however many others are newer", async () => {
  const kinds = async (of: string) =>
    (await read(`?of=${of}`)).json().data.jobs.map(({ kind }: { kind: string }) => kind);
  const added = [
    await addJob({ kind: "backup", single: "backup" }),
    await addJob({ kind: "log_check", single: "log_check" }),
  ];
  for (let n = 0; n < 50; n += 1) added.push(await addJob({ created_at: "2099-01-01T00:00:00Z" }));
  expect([await kinds("system"), await kinds("log")]).toEqual([["backup"], ["log_check"]]);
  const asAuditor = await service.get("/prod/api/system/jobs?of=system", { as: "auditor" });
  expect(asAuditor.json().data.jobs).toEqual([]);
  await service.db.query("delete from command.job where id = any($1)", [added]);
});

it("answers 404 for an unknown job and 400 for an invalid ID", async () => {
  expect((await read(`/${randomUUID()}`)).json().error.code).toBe("not_found");
  expect((await read("/1")).statusCode).toBe(400);
});
