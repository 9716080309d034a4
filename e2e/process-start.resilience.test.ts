import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "#local-servers/postgres/server.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { endProcesses, type ProcessName, startProcess, untilReady } from "./support/processes.ts";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-process-"));
});
afterEach(endProcesses);
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const MASTER_KEY = "ab".repeat(32);
const stores = () => ({
  DATABASE_URL: database.url,
  MASTER_KEY,
  FILES_URL: `file://${folder}/files`,
});

/** Starts a process that must refuse to start. @returns its output. */
async function refusal(name: ProcessName, env: Record<string, string>): Promise<string> {
  const started = startProcess(name, env);
  expect(await started.exited).toEqual({ code: 1, signal: null });
  expect(started.output()).not.toMatch(/^\s+at |hunter2/m);
  return started.output();
}

describe("a separate process", { timeout: 120_000 }, () => {
  it.each([
    ["command-api", ["DATABASE_URL", "MASTER_KEY", "FILES_URL"]],
    ["query-api", ["DATABASE_URL", "MASTER_KEY", "FILES_URL"]],
    ["projector", ["DATABASE_URL", "MASTER_KEY"]],
    ["mailer", ["DATABASE_URL", "MASTER_KEY", "SMTP_URL", "PUBLIC_URL"]],
    ["web", ["PUBLIC_URL"]],
    ["backup", ["DATABASE_URL", "MASTER_KEY", "FILES_URL", "BACKUP_URL", "BACKUP_KEYS_URL"]],
  ] as const)("%s names each missing setting in a sentence", async (name, missing) => {
    const output = await refusal(name, {});
    const lines = output.trim().split("\n").slice(1);
    const sentences = missing.map((variable) => `  - ${variable} is missing`);
    expect(lines.toSorted()).toEqual(sentences.toSorted());
  });

  it("says what is wrong with each variable, without repeating its value", async () => {
    const output = await refusal("command-api", {
      DATABASE_URL: "mysql://u:hunter2@db",
      MASTER_KEY_FILE: path.join(folder, "missing"),
      TRUST_PROXY: "all",
      PORT: "hunter2",
      ADMIN_PASSWORD: "short",
    });
    for (const name of ["DATABASE_URL", "MASTER_KEY_FILE", "TRUST_PROXY", "PORT", "ADMIN_PASSWORD"])
      expect(output).toMatch(new RegExp(`^ {2}- ${name} (must|names) `, "m"));
    const web = { PUBLIC_URL: "http://registry.example", QUERY_API_URL: "localhost", PORT: "-1" };
    expect(await refusal("web", web)).toMatch(/- PORT must .*\n {2}- QUERY_API_URL must /);
    const lonely = { ...stores(), ADMIN_EMAIL: "a@b.example" };
    expect(await refusal("command-api", lonely)).toContain("ADMIN_PASSWORD is missing");
  });

  it("reports invalid settings at startup, whichever part would use them first", async () => {
    const web = { PUBLIC_URL: "http://a:99999", SUPPORT_EMAIL: "x", QUERY_API_URL: "http://a:0" };
    const mails = {
      ...stores(),
      JOBS_URL: "redis://:hunter2%er@127.0.0.1",
      PUBLIC_URL: "https://.",
      SMTP_URL: "FILE:///",
    };
    const reads = {
      ...stores(),
      SEARCH_URL: "http://u:hunter2%er@127.0.0.1",
      RATE_LIMIT_URL: "redis://:hunter2@127.0.0.1:99999",
      CORS_ORIGINS: "*",
    };
    for (const [name, env] of [
      ["web", web],
      ["mailer", mails],
      ["query-api", reads],
      ["projector", { ...stores(), EVENT_STORE_URL: "esdb://127.0.0.1:99999?tls=false" }],
      ["command-api", { ...stores(), DATABASE_URL: "postgres://u:hunter2@db:99999/x" }],
    ] as const) {
      const lines = (await refusal(name, env)).trim().split("\n").slice(1);
      const wrong = Object.keys(env).filter((variable) => !(variable in stores()));
      const named = lines.map((line) => /^ {2}- (\w+) must be /.exec(line)?.[1]).toSorted();
      expect(named, name).toEqual(name === "command-api" ? ["DATABASE_URL"] : wrong.toSorted());
    }
  });

  it("says that an email folder can't be written to, and which names an index may have", async () => {
    const env = { ...stores(), PUBLIC_URL: "http://registry.example" };
    const commandApi = startProcess("command-api", stores());
    await commandApi.url();
    expect(await refusal("mailer", { ...env, SMTP_URL: "file:///dev/null/mails" })).toContain(
      "  - SMTP_URL must be a file: URL of a folder that this process may write to (ENOTDIR)\n",
    );
    const index = { ...stores(), SEARCH_URL: "http://127.0.0.1:9/?index=A_B" };
    for (const name of ["projector", "query-api"] as const)
      expect(await refusal(name, index)).toContain("  - SEARCH_URL must name its index in ");
  });

  it("says which store refuses the connection", async () => {
    const wrong = new URL(database.url);
    wrong.pathname = "/nothing";
    for (const name of ["command-api", "query-api", "projector"] as const)
      expect(await refusal(name, { ...stores(), DATABASE_URL: wrong.href })).toMatch(
        /rejected the connection \(SQLSTATE 3D000\)/,
      );
  });

  it("says in one sentence what a PostgreSQL server lacks", async () => {
    const [role, ascii] = [
      `guest_${randomUUID().slice(0, 8)}`,
      `ascii_${randomUUID().slice(0, 8)}`,
    ];
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`create role ${role} login password 'hunter2'`);
    await admin.query(
      `create database ${ascii} encoding 'SQL_ASCII' locale 'C' template template0`,
    );
    const guest = new URL(database.url);
    Object.assign(guest, { username: role, password: "hunter2" });
    const other = new URL(database.url);
    other.pathname = `/${ascii}`;
    const services = ["command-api", "query-api", "projector", "mailer"] as const;
    const lacking = async (url: URL) => {
      const env = { ...stores(), DATABASE_URL: url.href, PUBLIC_URL: "http://registry.example" };
      const outputs: string[] = [];
      for (const name of services)
        outputs.push(await refusal(name, { ...env, SMTP_URL: `file://${folder}/mail` }));
      return outputs;
    };
    try {
      // An empty database to which the guest may only connect.
      const empty = await freshDatabase();
      const inEmpty = new URL(guest.href);
      inEmpty.pathname = new URL(empty.url).pathname;
      for (const output of await lacking(inEmpty))
        expect(output).toMatch(/^A database does not let its user create .*\n$/);
      await empty.drop();
      for (const output of await lacking(other))
        expect(output).toMatch(/^A database has the encoding SQL_ASCII but must use UTF8.*\n$/);
      await admin.query(`alter role ${role} connection limit 0`);
      for (const output of await lacking(guest))
        expect(output).toMatch(/^A database server has no connections left .*\n$/);
    } finally {
      await admin.query(`drop role ${role}`);
      await admin.query(`drop database ${ascii} with (force)`);
      await admin.end();
    }
  });

  it("says that its port is in use", async () => {
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as net.AddressInfo;
    for (const name of ["projector", "query-api"] as const)
      expect(await refusal(name, { ...stores(), PORT: String(port) })).toBe(
        `Port ${port} is taken by another program: set PORT to a free one.\n`,
      );
    const output = await refusal("query-api", { ...stores(), OPERATIONS_PORT: String(port) });
    // The public port is already open; the log on the other stream says so, before or after.
    expect(output.trim().split("\n")).toContain(
      `Port ${port} is taken by another program: set OPERATIONS_PORT to a free one.`,
    );
    other.close();
  });

  it("serves checks and metrics on the operators' port, and only a status to everyone else", async () => {
    const operationsPort = await freePort();
    const env = { ...stores(), OPERATIONS_PORT: String(operationsPort) };
    const started = startProcess("command-api", env);
    const url = await untilReady(started);
    const operators = `http://127.0.0.1:${operationsPort}`;
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const ask = async (address: string) => (await fetch(address, { headers })).json();
    expect(await ask(`${url}/readyz`)).toEqual({ status: "ready" });
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(404);
    expect(await ask(`${operators}/readyz`)).toMatchObject({
      checks: { event_log: { ok: true }, files: { ok: true, detail: { reachable: true } } },
    });
    // Everything else works without files.
    await rm(path.join(folder, "files"), { recursive: true });
    await writeFile(path.join(folder, "files"), "a file where a folder belongs");
    await expect
      .poll(() => ask(`${operators}/readyz`))
      .toMatchObject({ status: "ready", checks: { files: { detail: { reachable: false } } } });
    await rm(path.join(folder, "files"));
    const figures = await fetch(`${operators}/metrics`, { headers });
    expect(await figures.text()).toContain("http_request_duration_seconds_count");
    started.child.kill("SIGTERM");
    expect(await started.exited).toEqual({ code: 0, signal: null });
  });

  it("refuses the wrong master key", async () => {
    const own = await freshDatabase();
    const env = { ...stores(), DATABASE_URL: own.url };
    const first = startProcess("query-api", env);
    await first.url();
    first.child.kill("SIGTERM");
    expect(await first.exited).toEqual({ code: 0, signal: null });
    expect(await refusal("projector", { ...env, MASTER_KEY: "cd".repeat(32) })).toMatch(
      /^The data cannot be opened: /,
    );
    await own.drop();
  });

  it("starts in any order: a mailer and a projector wait until the log is started", async () => {
    const env = {
      ...stores(),
      SMTP_URL: `file://${folder}/mail`,
      PUBLIC_URL: "http://registry.example",
    };
    const waiting = [startProcess("mailer", env), startProcess("projector", env)];
    const projector = waiting[1] as (typeof waiting)[number];
    expect((await fetch(`${await projector.url()}/healthz`)).status).toBe(200);
    const commandApi = startProcess("command-api", env);
    const all = [...waiting, commandApi];
    for (const started of all) await untilReady(started);
    for (const { child } of all) child.kill("SIGTERM");
    for (const { exited } of all) expect(await exited).toEqual({ code: 0, signal: null });
  });
});
