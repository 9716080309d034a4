import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  SERVICE_NAMES,
  SERVICE_ROLES,
  type ServiceName,
  urlAs,
} from "#runtime/db/service-roles.ts";
import { cleanErasedRows } from "#services/projector/erasure/row-cleaner.ts";
import { KEY_USERS, type ServiceKeyName } from "#vault/keys/service-keys.ts";
import { type System, startSystem } from "../../e2e/support/in-process.ts";
import { approve, submit } from "../../e2e/support/reports.ts";
import type { Stores } from "../instance.ts";
import { migrate } from "./migrate.ts";
import { RIGHTS } from "./rights.ts";
import { describeRights } from "./testing/describe-rights.ts";

// Roles belong to the whole server, so all databases must agree on their passwords.
const passwords = {
  "command-api": "password-of-command-api",
  "query-api": "password-of-query-api",
  projector: "password-of-projector",
  mailer: "password-of-mailer",
  backup: "password-of-backup",
};

function allIn(url: string): Stores {
  return {
    DATABASE_URL: url,
    EVENT_STORE_URL: url,
    KEYS_URL: url,
    SEARCH_URL: url,
    JOBS_URL: url,
  };
}

function urlsOf(url: string): Record<ServiceName, string> {
  const entries = SERVICE_NAMES.map((name) => [
    name,
    urlAs(url, SERVICE_ROLES[name], passwords[name]),
  ]);
  return Object.fromEntries(entries);
}

const insufficientPrivilege = "42501";
const APPEND = `select * from event_log.append('[{"stream":"report-x","expected":-1,"events":[]}]')`;
const CHANGE_LOG = [
  "update event_log.event set type = 'Other'",
  "delete from event_log.event",
  "truncate event_log.event",
  `insert into event_log.event (position, id, stream, revision, type, data, metadata, size)
     values (999999, gen_random_uuid(), 'report-x', 0, 'X', '{}', '{}', 1)`,
  "alter table event_log.event disable trigger append_only",
  "drop table event_log.event",
  "alter function event_log.append(json) security invoker",
];
const MAKE_OBJECTS = [
  "create table public.thing (id int)",
  "create function public.thing() returns int language sql as 'select 1'",
  "create temporary table thing (id int)",
  "create table command.thing (id int)",
  "create table event_log.thing (id int)",
  "create table keys.thing (id int)",
];
const CHANGE_SERVICE_KEYS = [
  `insert into keys.service_key (name, version, wrapped, key_version) values ('tokens', 9, '', 1)`,
  "update keys.service_key set ends_at = now()",
  "delete from keys.service_key",
  "alter table keys.service_key disable row level security",
  "update keys.master_key set superseded_at = now()",
  "insert into keys.master_key (version, check_box) values (9, '')",
];
const READ_CREDENTIALS = [
  "select password_hash from command.account",
  "select email_blind from command.account",
  "select hash from command.refresh_token",
  "select hash from command.device",
];

/** What only the processes of that service may say about themselves. */
const reportAs = (service: string) =>
  `insert into ops.process values (gen_random_uuid(), gen_random_uuid(), '${service}', '1', 1, 1, 0, '[]', '[]')`;

/** What only the processes of that service may answer. */
const answerAs = (service: string) =>
  `insert into ops.answer values (gen_random_uuid(), gen_random_uuid(), '${service}', 1)`;
/** What only command-api may ask of all processes. */
const ASK = "insert into ops.request values (gen_random_uuid(), 'clear-cache')";

/** What only command-api may: it would end every process, and stop what is being backed up. */
const END = [
  "update ops.request set turn = gen_random_uuid()",
  "insert into ops.backup (id) values (gen_random_uuid())",
  "update ops.backup set wanted_at = now()",
  "delete from ops.backup",
];

/** What each service must not be able to do, in SQL. */
const REFUSED: Record<ServiceName, readonly string[]> = {
  "query-api": [
    reportAs("projector"),
    answerAs("projector"),
    ASK,
    ...END,
    ...CHANGE_LOG,
    ...MAKE_OBJECTS,
    ...CHANGE_SERVICE_KEYS,
    ...READ_CREDENTIALS,
    APPEND,
    "create schema thing",
    "insert into command.account default values",
    "update command.session set ended_at = now()",
    "update reports.report set title = 'x'",
    "delete from offenders.person",
    "truncate audit.entry",
    "delete from search.documents",
    "drop schema reports cascade",
    "alter table reports.report add column x int",
    "update processor.checkpoint set position = '0'",
    "insert into address.slug default values",
    "update views.report_views set views = 0",
    "select * from views.seen",
    "select * from outbox.mail",
    "insert into outbox.sample_report values (gen_random_uuid())",
    "select * from search_source.report",
    "select * from jobs.job",
    "update keys.subject_key set wrapped = null",
    "insert into keys.subject_key (subject, destroyed_at) values ('x', now())",
    "select owner from keys.subject_key",
    "set role registry_projector",
  ],
  projector: [
    reportAs("mailer"),
    answerAs("mailer"),
    ASK,
    ...END,
    ...CHANGE_LOG,
    ...MAKE_OBJECTS,
    ...CHANGE_SERVICE_KEYS,
    ...READ_CREDENTIALS,
    APPEND,
    "select id from command.account",
    "delete from command.session",
    "update views.report_views set views = 0",
    "select * from views.seen",
    "drop table outbox.mail",
    "select * from jobs.job",
    "delete from keys.subject_key",
    "insert into keys.subject_key (subject, wrapped, key_version) values ('x', '', 1)",
    "select * from keys.public_key",
    "set role registry_command_api",
  ],
  "command-api": [
    reportAs("query-api"),
    answerAs("query-api"),
    ...CHANGE_LOG,
    ...MAKE_OBJECTS,
    ...CHANGE_SERVICE_KEYS,
    "create schema thing",
    "select * from reports.report",
    "select * from reports.public_report",
    "select * from offenders.person",
    "select * from audit.entry",
    "select * from search.documents",
    "select * from search_source.report",
    "select * from outbox.mail",
    "select * from processor.checkpoint",
    "select * from address.slug",
    "select * from jobs.job",
    "update command.migration set checksum = ''",
    "alter table command.account add column x int",
    "update ops.request set plan = '[]'",
    "update ops.backup set report = '{}'",
    "set role registry_projector",
  ],
  mailer: [
    reportAs("command-api"),
    answerAs("command-api"),
    ASK,
    ...END,
    ...CHANGE_LOG,
    ...MAKE_OBJECTS,
    ...CHANGE_SERVICE_KEYS,
    ...READ_CREDENTIALS,
    APPEND,
    "select id from command.account",
    "select * from reports.report",
    "select * from offenders.person",
    "select * from search_source.report",
    "insert into outbox.sample_report values (gen_random_uuid())",
    "insert into outbox.mail default values",
    "select * from processor.checkpoint",
    "update keys.subject_key set wrapped = null",
    "select * from keys.public_key",
    "set role registry_query_api",
  ],
  backup: [
    reportAs("command-api"),
    answerAs("command-api"),
    ASK,
    ...END,
    ...CHANGE_LOG,
    ...MAKE_OBJECTS,
    ...CHANGE_SERVICE_KEYS,
    APPEND,
    "create schema thing",
    "insert into command.account default values",
    "update command.account set status = 'active'",
    "delete from command.session",
    "truncate command.session",
    "update command.migration set checksum = ''",
    "alter table command.account add column x int",
    "update outbox.mail set state = 'sent'",
    "delete from outbox.mail",
    "insert into address.slug default values",
    "update views.report_views set views = 0",
    "update keys.subject_key set wrapped = null",
    "delete from keys.subject_key",
    "insert into keys.subject_key (subject, destroyed_at) values ('x', now())",
    // What is in no backup is not for it to read.
    "select * from command.job",
    "select * from command.job_line",
    "select * from views.seen",
    "select * from views.day_key",
    "select * from reports.report",
    "select * from offenders.person",
    "select * from audit.entry",
    "select * from search.documents",
    "select * from processor.checkpoint",
    "select * from jobs.job",
    // A lock would hold up the services.
    "select * from command.account for update",
    "lock table command.account in share mode",
    "set role registry_command_api",
    "copy (select 1) to program 'true'",
  ],
};

/** Whether `rights.ts` gives the role this right to the table or column. */
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
        await migrate({ ...options, passwords });
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

  /** SQLSTATE of each statement that was not refused for lack of rights. */
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

    it("allows a report to be submitted, approved and shown, with its mails", async () => {
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
        // Mails about decisions wait until nobody can undo them any more.
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
      const keys = async () =>
        asOwner(
          `select 1 from keys.subject_key where subject like '%${id}' and wrapped is not null`,
        );
      await expect.poll(async () => (await keys()).length).toBe(0);
    }, 60_000);

    it.each(SERVICE_NAMES)("refuses %s everything it has no right to", async (service) => {
      expect(await attempts(service)).toEqual([]);
    });

    it.each(SERVICE_NAMES)("shows %s only the service keys that it uses", async (service) => {
      // A backup needs the rows of all, wrapped as they are.
      const used = (Object.keys(KEY_USERS) as ServiceKeyName[]).filter(
        (name) =>
          service === "backup" || (KEY_USERS[name] as readonly ServiceName[]).includes(service),
      );
      expect(await seenKeys(service)).toEqual(used.toSorted());
    });

    it("shows query-api the public key of tokens, and not the private one", async () => {
      await connected(urlsOf(owner)["query-api"], async (client) => {
        expect((await client.query("select public_key from keys.public_key")).rowCount).toBe(1);
        const own = await client.query("select 1 from keys.service_key where name = 'tokens'");
        expect(own.rowCount).toBe(0);
      });
    });

    it("grants no right that the table of rights lacks", async () => {
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

  it("is unchanged by a second run while the services run", async () => {
    const before = await connected(owner, describeRights);
    await migrate({ stores: allIn(owner), masterKeys: [masterKey], passwords });
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

  it("makes every service report that it runs under its own role", async () => {
    const { checks } = await system.queryApi.app.checkReadiness();
    expect(checks.database?.detail).toMatchObject({ rights: "own role" });
    const { checks: command } = await system.commandApi.app.checkReadiness();
    expect(command.database?.detail).toEqual({ rights: "own role" });
    for (const { checks: all } of [system.projector, system.mailer])
      expect(await all.database?.()).toEqual({ ok: true, detail: { rights: "own role" } });
  });
});
