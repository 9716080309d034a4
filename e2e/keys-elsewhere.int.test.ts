import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { type System, startSystem } from "./support/in-process.ts";
import { runCommand } from "./support/registry.ts";
import { approve, chargeback, submit } from "./support/reports.ts";
import { tokenMailedTo } from "./support/traces.ts";

const [former, next] = [randomBytes(32), randomBytes(32)];
/** The system's master keys; it follows changes. */
let masterKeys = [former];

let system: System;
let keys: TestDatabase;
let keysDb: pg.Pool;

beforeAll(async () => {
  keys = await freshDatabase();
  keysDb = new pg.Pool({ connectionString: keys.url, max: 2 });
  system = await startSystem({ keysUrl: keys.url, masterKeys: () => masterKeys });
});
afterAll(async () => {
  await system.close();
  await keysDb.end();
  await keys.drop();
});

/** Runs an operator's command alongside the system. */
async function succeed(command: string, args: string[] = [], given = masterKeys): Promise<string> {
  const dataDir = path.join(system.mailFolder, "no-data-folder");
  const env = {
    DATABASE_URL: system.databaseUrl,
    KEYS_URL: keys.url,
    MASTER_KEY: given.map((key) => key.toString("hex")).join(","),
  };
  const { code, output } = await runCommand(command, args, { dataDir, env });
  expect({ code, output }).toEqual({ code: 0, output });
  expect(existsSync(dataDir)).toBe(false);
  return output;
}

const admin = (id: string, command: string) =>
  system.call("POST", `/prod/api/admin/reports/${id}/${command}`, { body: {}, as: "admin" });

async function revealed(id: string): Promise<Record<string, unknown>> {
  const answer = await admin(id, "reveal");
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}

async function stateOf(subject: string): Promise<string> {
  const { rows } = await keysDb.query(
    `select case when destroyed_at is null then 'present' else 'destroyed' end as state
     from keys.subject_key where subject = $1`,
    [subject],
  );
  return rows[0]?.state ?? "missing";
}

describe("keys in a separate database", { timeout: 120_000 }, () => {
  let id: string;
  let slug: string;

  it("seal and open a report from its submission to the reveal", async () => {
    id = await submit(system);
    let token: string | undefined;
    await eventually("a link is emailed", async () => {
      token = await tokenMailedTo(system.mailFolder, chargeback.reporter_email, "verify-email");
      return token !== undefined;
    });
    const confirmed = await system.call("POST", `/prod/api/verify-email/${token}`, { body: {} });
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    await approve(system, id);
    const found = (await system.read("/prod/api/reports/search?q=quin%20aimes")).json().data;
    expect(found.reports).toMatchObject([{ title: chargeback.title }]);
    slug = found.reports[0].seo_title;
    expect(await revealed(id)).toMatchObject({ reporter_email: chargeback.reporter_email });
    expect(await stateOf(`personal-${id}`)).toBe("present");
  });

  it("are only in their database, which holds nothing else", async () => {
    const schemas = async (db: pg.Pool) => {
      const { rows } = await db.query<{ nspname: string }>(
        `select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
      );
      return rows.map(({ nspname }) => nspname);
    };
    expect((await schemas(keysDb)).toSorted()).toEqual(["keys", "public"]);
    expect(await schemas(system.db)).toEqual(
      expect.arrayContaining(["command", "event_log", "outbox", "reports", "search"]),
    );
    expect(await schemas(system.db)).not.toContain("keys");
  });

  it("are rewrapped under a new master key while the system runs", async () => {
    masterKeys = [next, former];
    expect(await succeed("keys-rotate")).toMatch(
      /^\d+ keys are now wrapped with the new master key/m,
    );
    masterKeys = [next];
    const { rows } = await keysDb.query(
      `select distinct key_version from keys.subject_key where destroyed_at is null
       union select key_version from keys.service_key`,
    );
    expect(rows).toEqual([{ key_version: 2 }]);
    expect(await revealed(id)).toMatchObject({ reporter_email: chargeback.reporter_email });
    expect(await stateOf(`personal-${await submit(system)}`)).toBe("present");
  });

  it("can be replaced if they are service keys", async () => {
    expect(await succeed("keys-replace", ["links"])).toContain("The new links key takes effect at");
    const { rows } = await keysDb.query(
      "select version from keys.service_key where name = 'links' order by version",
    );
    expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
  });

  it("are destroyed with an erased reporter and a deleted report", async () => {
    await succeed("erase", ["reporter", id]);
    expect(await stateOf(`reporter-${id}`)).toBe("destroyed");
    expect(await revealed(id)).not.toHaveProperty("reporter_email");
    const deleted = await system.call("DELETE", `/prod/api/admin/reports/${id}`, {
      body: { reason_code: "subject_request" },
      as: "admin",
    });
    expect(deleted.statusCode, deleted.body).toBe(200);
    expect(await stateOf(`personal-${id}`)).toBe("present");
    await succeed("erase", ["report", id]);
    expect((await system.read(`/prod/api/reports/${slug}`)).statusCode).toBe(410);
    expect(await stateOf(`personal-${id}`)).toBe("destroyed");
  });

  it("are not needed to verify the log", async () => {
    expect(await succeed("audit-verify")).toMatch(/^All \d+ events of/m);
    const schema = await system.db.query("select from pg_namespace where nspname = 'keys'");
    expect(schema.rowCount, "a command created keys in the other database").toBe(0);
  });
});
