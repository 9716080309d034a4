import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noHaproxy } from "#deploy/testing/haproxy.fixture.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { listMails } from "#launcher/outbox/mail-folder.ts";
import { endLeftovers } from "#local-servers/postgres/leftovers.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { type ManyProcesses, startManyProcesses } from "./support/many-processes.ts";
import { readPublicAnswers } from "./support/public-answers.ts";
import { type Registry, runCommand, startRegistry } from "./support/registry.ts";
import { skipWhere } from "./support/skip-where.ts";
import {
  answersWithoutTraces,
  restoreDatabase,
  restoreDataFolder,
  storedMasterKey,
  storedRegistry,
  storedSlugs,
} from "./support/stored-registry.ts";

const { publicUrl, session, retry, reports } = storedRegistry;

/** Replies may have new fields, but the former ones must be unchanged. */
async function expectSameAnswers(url: string): Promise<void> {
  expect(await readPublicAnswers(url, storedSlugs)).toMatchObject(answersWithoutTraces(new Date()));
}

async function post(url: string, at: string, body: object, headers = {}) {
  const answer = await fetch(`${url}/prod/api/${at}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

describe("a data folder of an earlier version, under npm start", () => {
  let scratch: string;
  let dataDir: string;
  let registry: Registry;

  beforeAll(async () => {
    scratch = await mkdtemp(path.join(os.tmpdir(), "registry-stored-"));
    dataDir = path.join(scratch, "data");
    await restoreDataFolder(dataDir);
    registry = await startRegistry({
      dataDir,
      env: { PUBLIC_URL: publicUrl, RATE_LIMIT: "off" },
    });
  });
  const mailsOf = async (report: string | undefined) => {
    const mails = await listMails(dataPaths(dataDir).mail);
    return mails.filter(({ file }) => file.startsWith(`${report}.`)).length;
  };
  afterAll(async () => {
    registry?.signal("SIGKILL");
    await registry?.exited;
    await endLeftovers(dataPaths(dataDir).cluster);
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  it("says that it rebuilds its tables before it is ready", () => {
    expect(registry.output()).toMatch(
      /rebuilding tables of an earlier version: .*reports[\s\S]*Ready/,
    );
  });

  it("shows the same public pages and lists", () => expectSameAnswers(registry.url));

  it("has no event that could not be applied", async () => {
    const parked = await runCommand("parked", ["list"], { dataDir });
    expect(parked).toMatchObject({ code: 0, output: expect.stringMatching(/nothing is parked/i) });
  });

  it("has an intact log", async () => {
    expect(await runCommand("audit-verify", [], { dataDir })).toMatchObject({ code: 0 });
  });

  it("sends the mails that were due", async () => {
    await eventually("the mail is out", async () => (await mailsOf(reports.mailUnsent?.id)) > 0);
  });

  it("knows its accounts, sessions and commands", async () => {
    for (const { email, password } of Object.values(storedRegistry.accounts))
      expect(await post(registry.url, "auth/login", { email, password })).toMatchObject({
        status: 200,
        body: { data: { user: { email } } },
      });
    const { refreshToken } = session;
    expect(await post(registry.url, "auth/refresh", { refreshToken })).toMatchObject({
      status: 200,
    });
    const headers = { "idempotency-key": retry.key };
    expect(await post(registry.url, "reports/submit", retry.body, headers)).toMatchObject({
      status: 200,
      body: { data: { id: retry.id } },
    });
  });

  it("shows the same after all read models were rebuilt from the log", async () => {
    expect(await runCommand("rebuild", ["all"], { dataDir })).toMatchObject({ code: 0 });
    await expectSameAnswers(registry.url);
    expect(await mailsOf(reports.mailUnsent?.id)).toBe(1);
  });

  it("gives pending reports the addresses that were reserved for them", async () => {
    const { email, password } = storedRegistry.accounts.admin as {
      email: string;
      password: string;
    };
    const { body } = await post(registry.url, "auth/login", { email, password });
    const headers = { authorization: `Bearer ${body.data.token}` };
    const pending = Object.values(reports).filter(({ status }) => status === "pending");
    expect(pending.length).toBeGreaterThan(5);
    for (const { id, slug } of pending) {
      const approved = await post(registry.url, `admin/reports/${id}/approve`, {}, headers);
      expect(approved, slug).toMatchObject({ status: 200 });
      await eventually(`the page of ${slug}`, async () => {
        const answer = await fetch(`${registry.url}/prod/api/reports/${slug}`);
        return answer.status === 200 && (await answer.json()).data.id === id;
      });
    }
  });
});

describe("stores of an earlier version, under two processes of each service", () => {
  skipWhere(noHaproxy);
  let registry: ManyProcesses;

  beforeAll(async () => {
    if (noHaproxy) return;
    registry = await startManyProcesses({
      openSearch: false,
      stored: { masterKey: storedMasterKey, restore: restoreDatabase },
      env: { RATE_LIMIT: "off" },
    });
  });
  afterAll(() => registry?.close());

  /** Every row that is projected from the log, in a fixed order. */
  async function projectedRows(): Promise<Record<string, unknown[]>> {
    const { rows: tables } = await registry.db.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema = any($1) order by 1`,
      [
        [
          "reports",
          "address",
          "offenders",
          "audit",
          "accounts",
          "content",
          "settings",
          "users",
          "inquiries",
          "search_source",
          "search",
        ],
      ],
    );
    const found: Record<string, unknown[]> = {};
    for (const { name } of tables) {
      const { rows } = await registry.db.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${name} t`,
      );
      // A cell that is sealed again has other bytes.
      found[name] = rows.map(({ row }) => row.replace(/"box": "[^"]*"/g, '"box"')).toSorted();
    }
    return found;
  }

  it("show the same public pages and lists", () => expectSameAnswers(registry.url));

  it("have nothing parked", async () => {
    const { rows } = await registry.db.query("select * from processor.parked_stream");
    expect(rows).toEqual([]);
  });

  it("have the same rows after a rebuild", async () => {
    const before = await projectedRows();
    expect(before["reports.report"]?.length).toBeGreaterThan(10);
    const env = {
      DATABASE_URL: registry.eventStoreUrl,
      MASTER_KEY: storedMasterKey.toString("hex"),
    };
    const scratch = await mkdtemp(path.join(os.tmpdir(), "registry-rebuild-"));
    const { code, output } = await runCommand("rebuild", ["all"], { dataDir: scratch, env });
    await rm(scratch, { recursive: true });
    expect(code, output).toBe(0);
    expect(await projectedRows()).toEqual(before);
  });
});
