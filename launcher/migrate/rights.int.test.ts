import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICE_NAMES, SERVICE_ROLES, type ServiceName } from "#runtime/db/service-roles.ts";
import { newEnvelope, systemCaller } from "#services/command-api/kernel/envelope.ts";
import { cleanErasedRows } from "#services/projector/erasure/row-cleaner.ts";
import { KEY_USERS, type ServiceKeyName } from "#vault/keys/service-keys.ts";
import { type System, startSystem } from "../../e2e/support/in-process.ts";
import { approve, submit } from "../../e2e/support/reports.ts";
import { migrate } from "./migrate.ts";
import { RIGHTS } from "./rights.ts";
import { describeRights } from "./testing/describe-rights.ts";
import { REFUSED } from "./testing/refused-statements.ts";
import { allIn, migrateWithRoles, PASSWORDS, urlsOf } from "./testing/service-roles.fixture.ts";

const insufficientPrivilege = "42501";

/** Whether `rights.ts` grants the role this right to the table or column. */
function isInTable([, role, right = "", schema, table, column]: readonly string[]): boolean {
  const service = SERVICE_NAMES.find((name) => SERVICE_ROLES[name] === role);
  if (!service) return false;
  if (table === "migration") return right === "select";
  const listed = RIGHTS[service][`${schema}.${table}`] ?? RIGHTS[service][`${schema}.*`] ?? "";
  const columns = new RegExp(`\\b${right} \\(([^)]*)\\)`).exec(listed)?.[1];
  if (column) return columns?.split(", ").includes(column) ?? false;
  return columns === undefined && listed.split(", ").includes(right);
}

describe.each(["a fresh database", "a database created by a single role"])("on %s", (kind) => {
  let system: System;
  let owner: string;
  let masterKey: Buffer;

  beforeAll(async () => {
    system = await startSystem({
      async prepare(url, key) {
        owner = url;
        masterKey = key;
        const options = { stores: allIn(url), masterKeys: [key] };
        if (kind !== "a fresh database") {
          await migrate(options);
          await asOwner("create schema reports_next; create table reports_next.left_over ()");
        }
        await migrate({ ...options, passwords: PASSWORDS });
        return urlsOf(url);
      },
    });
  }, 120_000);
  afterAll(() => system?.close());

  async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  const asOwner = (sql: string) =>
    connected(owner, async (client) => (await client.query(sql)).rows);

  /** SQLSTATE of each statement that was not denied for lack of rights. */
  async function attempts(service: ServiceName): Promise<string[]> {
    return connected(urlsOf(owner)[service], async (client) => {
      const allowed: string[] = [];
      for (const statement of REFUSED[service]) {
        await client.query("begin");
        const outcome = await client.query(statement).then(
          () => "done",
          (error: { code?: string }) => error.code,
        );
        await client.query("rollback");
        if (outcome !== insufficientPrivilege) allowed.push(`${statement}: ${outcome}`);
      }
      return allowed;
    });
  }

  function seenKeys(service: ServiceName): Promise<string[]> {
    return connected(urlsOf(owner)[service], async (client) => {
      const { rows } = await client.query("select distinct name from keys.service_key order by 1");
      return rows.map(({ name }) => name);
    });
  }

  let rights: string[] | undefined;

  const shownReport = async (id: string) => {
    const answer = await system.read(`/prod/api/admin/reports/${id}`, "admin");
    return answer.json().data;
  };

  describe.each(["before a rebuild of all projections", "after one"])("%s", (time) => {
    beforeAll(async () => {
      if (time === "after one") await system.rebuild();
    }, 60_000);

    it("allows submitting, approving and showing a report, with its emails", async () => {
      const id = await submit(system);
      expect(await shownReport(id)).toMatchObject({ status: "pending" });
      await approve(system, id);
      const shown = await system.read("/prod/api/reports/search?q=Quinn%20Ames");
      expect(shown.statusCode).toBe(200);
      expect(JSON.stringify(shown.json())).toContain("Quinn");
      expect(await shownReport(id)).toMatchObject({ status: "approved" });
      const history = await system.read(`/prod/api/admin/reports/${id}/history`, "auditor");
      expect(history.statusCode).toBe(200);
      const mails = async () => {
        // Emails about decisions wait until the decision can no longer be undone.
        await asOwner("update outbox.mail set next_attempt_at = null where attempts = 0");
        const sent = await asOwner(
          `select kind from outbox.mail where report_id = '${id}' and state = 'sent'`,
        );
        return sent.length;
      };
      await expect.poll(mails, { timeout: 40_000 }).toBe(2);
      const removed = await system.call("DELETE", `/prod/api/admin/reports/${id}`, {
        body: { reason_code: "subject_request" },
        as: "admin",
      });
      expect(removed.statusCode).toBe(200);
      await system.commandApi.reports.execute(
        id,
        { type: "EraseReport", reasonCode: "other" },
        newEnvelope(systemCaller(new Date().toISOString())),
      );
      const keys = async () =>
        asOwner(
          `select 1 from keys.subject_key where subject like '%${id}' and wrapped is not null`,
        );
      await expect.poll(async () => (await keys()).length).toBe(0);
    }, 60_000);

    it.each(SERVICE_NAMES)("denies %s everything it has no right to", async (service) => {
      expect(await attempts(service)).toEqual([]);
    });

    it.each(SERVICE_NAMES)("shows %s only the service keys that it uses", async (service) => {
      // A backup needs all rows, still wrapped.
      const used = (Object.keys(KEY_USERS) as ServiceKeyName[]).filter(
        (name) =>
          service === "backup" || (KEY_USERS[name] as readonly ServiceName[]).includes(service),
      );
      expect(await seenKeys(service)).toEqual(used.toSorted());
    });

    it("shows query-api the public token key but not the private one", async () => {
      await connected(urlsOf(owner)["query-api"], async (client) => {
        expect((await client.query("select public_key from keys.public_key")).rowCount).toBe(1);
        const own = await client.query("select 1 from keys.service_key where name = 'tokens'");
        expect(own.rowCount).toBe(0);
      });
    });

    it("grants no right missing from the table of rights", async () => {
      const granted = await connected(owner, describeRights);
      const found = granted.flatMap((line) => {
        const parts = /^(\w+): (\w+) on (?:table|column) (\w+)\.(\w+)(?:\.(\w+))?$/.exec(line);
        return parts ? [{ line, parts }] : [];
      });
      expect(found.length).toBeGreaterThan(100);
      for (const { line, parts } of found) expect(isInTable(parts), line).toBe(true);
      rights ??= granted;
      expect(granted).toEqual(rights);
    });

    it("leaves every schema to its owner", async () => {
      const owners = await asOwner(
        `select nspname as schema, pg_get_userbyid(nspowner) as owner from pg_namespace
         where pg_get_userbyid(nspowner) like 'registry\\_%' order by 1`,
      );
      expect(owners).toEqual([
        { schema: "accounts", owner: "registry_projector" },
        { schema: "audit", owner: "registry_projector" },
        { schema: "content", owner: "registry_projector" },
        { schema: "inquiries", owner: "registry_projector" },
        { schema: "jobs", owner: "registry_mailer" },
        { schema: "offenders", owner: "registry_projector" },
        { schema: "reports", owner: "registry_projector" },
        { schema: "search", owner: "registry_projector" },
        { schema: "search_source", owner: "registry_projector" },
        { schema: "settings", owner: "registry_projector" },
        { schema: "users", owner: "registry_projector" },
      ]);
    });
  });

  it("is unchanged by a second run while services are running", async () => {
    const before = await connected(owner, describeRights);
    await migrateWithRoles(owner, masterKey);
    expect(await connected(owner, describeRights)).toEqual(before);
  });

  it("lets the projector clean tables of other owners after an erasure", async () => {
    const vacuumed = () =>
      asOwner(
        `select relname from pg_stat_user_tables
         where vacuum_count > 0 and schemaname in ('command', 'outbox', 'views')`,
      );
    expect(await cleanErasedRows(urlsOf(owner).projector)).toBe(true);
    await expect.poll(async () => (await vacuumed()).length).toBeGreaterThan(0);
  }, 60_000);

  it("lets every service report that it runs under its own role", async () => {
    const { checks } = await system.queryApi.app.checkReadiness();
    expect(checks.database?.detail).toMatchObject({ rights: "own role" });
    const { checks: command } = await system.commandApi.app.checkReadiness();
    expect(command.database?.detail).toEqual({ rights: "own role" });
    for (const { checks: all } of [system.projector, system.mailer])
      expect(await all.database?.()).toEqual({ ok: true, detail: { rights: "own role" } });
  });
});
