import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "#dev/embedded-postgres/server.ts";
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
const stores = () => ({ DATABASE_URL: database.url, MASTER_KEY });

/** Starts a process that is to refuse; answers what it printed. */
async function refusal(name: ProcessName, env: Record<string, string>): Promise<string> {
  const started = startProcess(name, env);
  expect(await started.exited).toEqual({ code: 1, signal: null });
  expect(started.output()).not.toMatch(/^\s+at |hunter2/m);
  return started.output();
}

describe("a process of its own", { timeout: 120_000 }, () => {
  it.each([
    ["command-api", ["DATABASE_URL", "MASTER_KEY"]],
    ["query-api", ["DATABASE_URL", "MASTER_KEY"]],
    ["projector", ["DATABASE_URL", "MASTER_KEY"]],
    ["mailer", ["DATABASE_URL", "MASTER_KEY", "SMTP_URL", "PUBLIC_URL"]],
    ["web", ["PUBLIC_URL"]],
  ] as const)("%s says in a sentence each what it lacks", async (name, missing) => {
    const output = await refusal(name, {});
    const lines = output.trim().split("\n").slice(1);
    expect(lines).toEqual(missing.map((variable) => `  - ${variable} is missing`));
  });

  it("says what is wrong with each variable, and repeats none", async () => {
    const output = await refusal("command-api", {
      DATABASE_URL: "mysql://u:hunter2@db",
      MASTER_KEY_FILE: path.join(folder, "missing"),
      TRUST_PROXY: "all",
      PORT: "hunter2",
      ADMIN_PASSWORD: "short",
    });
    for (const name of ["DATABASE_URL", "MASTER_KEY_FILE", "TRUST_PROXY", "PORT", "ADMIN_PASSWORD"])
      expect(output).toMatch(new RegExp(`^ {2}- ${name} (must|names) `, "m"));
    expect(await refusal("gateway", { WEB_URL: "localhost", PORT: "-1" })).toMatch(
      /- PORT must .*\n {2}- WEB_URL must /,
    );
    const lonely = { ...stores(), ADMIN_EMAIL: "a@b.example" };
    expect(await refusal("command-api", lonely)).toContain("ADMIN_PASSWORD is missing");
  });

  it("says which store is away, and which refuses", async () => {
    const port = await freePort();
    const away = { ...stores(), DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${port}/x` };
    const wrong = new URL(database.url);
    wrong.pathname = "/nothing";
    for (const name of ["command-api", "query-api", "projector"] as const)
      expect(await refusal(name, away)).toContain(
        `not within reach (ECONNREFUSED 127.0.0.1:${port})`,
      );
    expect(await refusal("query-api", { ...stores(), DATABASE_URL: wrong.href })).toMatch(
      /refuses the connection \(SQLSTATE 3D000\)/,
    );
  });

  it("says that its port is taken", async () => {
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as net.AddressInfo;
    for (const name of ["gateway", "query-api"] as const)
      expect(await refusal(name, { ...stores(), PORT: String(port) })).toBe(
        `Port ${port} is taken by another program: set PORT to a free one.\n`,
      );
    other.close();
  });

  it("refuses the wrong master key", async () => {
    const own = await freshDatabase();
    const env = { DATABASE_URL: own.url, MASTER_KEY };
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
