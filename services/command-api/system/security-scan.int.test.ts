import { expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());

interface Line {
  readonly target: string;
  readonly outcome: string;
  readonly message: string;
}

async function scan() {
  const reply = await fixture.call("POST", "/prod/api/system/actions", {
    as: "admin",
    body: { action: "security-scan" },
  });
  expect(reply.statusCode, reply.body).toBe(200);
  const id = reply.json().data.job_id;
  await fixture.api.jobs.settled();
  const { rows } = await fixture.db.query<Line>(
    "select target, outcome, message from command.job_line where job_id = $1",
    [id],
  );
  const events = await fixture.db.query(
    "select data::jsonb as data from event_log.event where stream = $1 order by revision",
    [`system-${id}`],
  );
  const found = rows.filter(({ outcome }) => outcome !== "done").map(({ target }) => target);
  return { rows, found, end: events.rows.at(-1)?.data };
}

it("reports this installation's findings and what to do, and logs their number", async () => {
  const { rows, found, end } = await scan();
  expect(rows.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  for (const code of [
    "rate_limits",
    "staff_second_factor",
    "virus_scan",
    "staff_without_factor",
    "only_admin",
    "service_roles",
    "log_rights",
  ])
    expect(found).toContain(code);
  expect(found).not.toContain("open_metrics");
  expect(end).toMatchObject({ action: "security-scan", outcome: "done", count: found.length });
  expect(JSON.stringify(end)).not.toContain("second_factor");
  const words = JSON.stringify(rows);
  expect(words).not.toMatch(/postgres:|127\.0\.0\.1|registry\.example|dana/i);
});

it("no longer reports what was fixed", async () => {
  const before = await scan();
  await fixture.db.query("update command.account set factor_id = gen_random_uuid()");
  await fixture.db.query("update command.account set role = 'admin' where role = 'auditor'");
  const { found } = await scan();
  expect(before.found.filter((code) => !found.includes(code))).toEqual([
    "staff_without_factor",
    "only_admin",
  ]);
});
