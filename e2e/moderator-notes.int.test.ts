import { expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { type Role, startSystem } from "./support/in-process.ts";
import { eraseReport, submit } from "./support/reports.ts";

const NOTE = "Zqmoderatornotecanary";

const system = forFile(() => startSystem());

const one = (id: string) => `/prod/api/admin/reports/${id}`;

async function command(id: string, name: string, body: object) {
  const answer = await system.call("POST", `${one(id)}/${name}`, { body, as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
}

async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await system.db.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await system.db.query(
      `select from ${name} t where strpos(t::text, $1) > 0 limit 1`,
      [text],
    );
    if (rowCount) found.push(name);
  }
  return found;
}

it("a moderators' note is shown on the report to moderators only, and is erased with the report", async () => {
  const id = await submit(system);
  await command(id, "verify", {});
  await command(id, "approve", {});
  const before = (await system.read(one(id), "admin")).json().data;
  await command(id, "note", { note: NOTE });
  const after = (await system.read(one(id), "admin")).json().data;
  expect(after.moderator_notes).toEqual([
    { note: NOTE, at: expect.stringMatching(/Z$/), by: expect.any(String) },
  ]);
  // The public and the owner see this time.
  expect(after.updated_at).toBe(before.updated_at);
  expect(after.revision).toBe(before.revision + 1);

  const urls: readonly [string, Role][] = [
    [`${one(id)}/history`, "admin"],
    [`${one(id)}/history`, "auditor"],
    ["/prod/api/admin/audit-logs", "auditor"],
    ["/prod/api/admin/reports", "admin"],
    ["/prod/api/admin/queue", "admin"],
    [`/prod/api/reports/${before.seo_title}`, "visitor"],
    ["/prod/api/reports/recent", "visitor"],
  ];
  for (const [url, as] of urls) {
    const answer = await system.read(url, as);
    expect([url, answer.statusCode]).toEqual([url, 200]);
    expect([url, answer.body.includes(NOTE)]).toEqual([url, false]);
  }
  // An auditor sees that there is a note.
  const history = (await system.read(`${one(id)}/history`, "auditor")).json().data.events;
  expect(history.map(({ type }: { type: string }) => type)).toContain("ModeratorNoteWritten");
  expect((await system.read(one(id), "auditor")).statusCode).toBe(403);

  expect(await tablesWith(NOTE)).toEqual(["reports.report"]);
  const gone = await system.call("DELETE", one(id), { body: {}, as: "admin" });
  expect(gone.statusCode).toBe(200);
  expect((await system.read(one(id), "admin")).statusCode).toBe(410);
  expect(await tablesWith(NOTE)).toEqual(["reports.hidden_report"]);
  await eraseReport(system, id);
  await expect.poll(() => tablesWith(NOTE)).toEqual([]);
  expect(system.logged()).not.toContain(NOTE);
});
