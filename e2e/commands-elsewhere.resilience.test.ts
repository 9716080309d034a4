import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { totpCode } from "#services/command-api/testing/two-factor.fixture.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import {
  endProcesses,
  type ServiceProcess,
  startProcess,
  untilReady,
} from "./support/processes.ts";
import { runCommand } from "./support/registry.ts";

const [firstKey, secondKey] = ["ab".repeat(32), "cd".repeat(32)] as const;

let database: TestDatabase;
let folder: string;
let keyFile: string;
let processes: ServiceProcess[];
let api: string;

const stores = () => ({
  DATABASE_URL: database.url,
  MASTER_KEY_FILE: keyFile,
  FILES_URL: `file://${folder}/files`,
});

beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-elsewhere-"));
  keyFile = path.join(folder, "master-key");
  await writeFile(keyFile, `${firstKey}\n`);
  processes = (["command-api", "query-api", "projector"] as const).map((name) =>
    startProcess(name, stores()),
  );
  [api] = (await Promise.all(processes.map(untilReady))) as [string];
}, 120_000);
afterAll(async () => {
  await endProcesses();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command alongside the processes, knowing only their stores' URLs. */
async function run(command: string, args: string[] = [], input?: string) {
  const dataDir = path.join(folder, "data");
  const piped = input === undefined ? {} : { input };
  const done = await runCommand(command, args, { dataDir, env: stores(), ...piped });
  expect(existsSync(dataDir), "a data folder was created").toBe(false);
  return done;
}

async function succeed(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await run(command, args);
  expect({ code, output }).toEqual({ code: 0, output });
  return output;
}

async function addAccount(role: string, email: string, password: string): Promise<string> {
  const args = ["--role", role, "--email", email, "--password-stdin"];
  const { code, output } = await run("account-add", args, `${password}\n`);
  expect({ code, output }).toEqual({ code: 0, output });
  return output;
}

async function openSessions(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const open = "select from command.session where ended_at is null";
    return (await client.query(open)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

async function post(path: string, body: object, token?: string) {
  const answer = await fetch(`${api}/prod/api/auth/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...((await answer.json()) as { data?: Record<string, string> }) };
}

async function signIn(email: string, password: string): Promise<number | "challenge"> {
  const { status, data } = await post("login", { email, password });
  return data?.challenge ? "challenge" : status;
}

/** Turns on two-factor authentication. */
async function protect(email: string, password: string): Promise<void> {
  const token = (await post("login", { email, password })).data?.token;
  const secret = (await post("two-factor/setup", {}, token)).data?.secret ?? "";
  const confirmed = await post("two-factor/confirm", { code: totpCode(secret) }, token);
  expect(confirmed.status).toBe(200);
}

describe("the operator's commands on external stores", { timeout: 120_000 }, () => {
  it("add accounts, and reset the admin's password", async () => {
    const added = await addAccount("admin", "first@b.example", "Correct-horse-9");
    expect(added).toContain("Admin password: the one you entered");
    expect(added).not.toContain("Correct-horse-9");
    expect(await signIn("first@b.example", "Correct-horse-9")).toBe(200);
    const password = /^Admin password: (.+)$/m.exec(await succeed("admin-reset"))?.[1] ?? "";
    expect(await signIn("first@b.example", "Correct-horse-9")).toBe(401);
    expect(await signIn("first@b.example", password)).toBe(200);
  });

  it("turn off a second factor, and also do so when they reset the admin's password", async () => {
    const email = "first@b.example";
    const password = /^Admin password: (.+)$/m.exec(await succeed("admin-reset"))?.[1] ?? "";
    await protect(email, password);
    expect(await signIn(email, password)).toBe("challenge");
    expect(await succeed("account-reset-factor", email)).toContain("Turned off");
    expect(await signIn(email, password)).toBe(200);
    expect(await succeed("account-reset-factor", email)).toContain("was already off");
    const unknown = await run("account-reset-factor", ["nobody@b.example"]);
    expect(unknown).toMatchObject({ code: 1, output: "Account not found.\n" });
    await protect(email, password);
    const next = /^Admin password: (.+)$/m.exec(await succeed("admin-reset"))?.[1] ?? "";
    expect(await signIn(email, next)).toBe(200);
  });

  it("verify the log, list parked streams and rebuild while the processes run", async () => {
    expect(await succeed("audit-verify")).toMatch(/^All \d\d? events of \d streams are verified/m);
    expect(await succeed("parked")).toContain("Nothing is parked.");
    expect(await succeed("rebuild", "all")).toMatch(/^Rebuilt /m);
    expect(await succeed("sample-clear")).toContain("0 sample reports removed.");
  });

  it("use the external stores even if a data folder has its own database", async () => {
    const dataDir = path.join(folder, "other");
    await mkdir(path.join(dataDir, "postgres"), { recursive: true });
    const { code, output } = await runCommand("audit-verify", [], { dataDir, env: stores() });
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(/^All [1-9]\d* events of \d streams are verified/m);
    await rm(dataDir, { recursive: true });
  });

  it("create no registry where none exists, and say what is missing", async () => {
    const dataDir = path.join(folder, "data");
    const nothing = await runCommand("parked", [], { dataDir });
    expect(nothing).toMatchObject({ code: 1, output: expect.stringContaining(dataDir) });
    const keyless = { DATABASE_URL: database.url };
    const locked = await runCommand("audit-verify", [], { dataDir, env: keyless });
    expect(locked).toMatchObject({ code: 1, output: expect.stringContaining("MASTER_KEY") });
    expect(existsSync(dataDir)).toBe(false);
  });

  it("rotate the keys, which the processes reread from their file", async () => {
    const alone = await run("keys-rotate");
    expect(alone.code).toBe(1);
    expect(alone.output).toContain("put a new one in front of it");
    await writeFile(keyFile, `${secondKey}\n${firstKey}\n`);
    expect(await succeed("keys-rotate")).toMatch(
      /^\d+ keys are now wrapped with the new master key/m,
    );
    await writeFile(keyFile, `${secondKey}\n`);
    await addAccount("user", "u@b.example", "Violet-Kettle-42");
    expect(await signIn("u@b.example", "Violet-Kettle-42")).toBe(200);
  });

  it("refuse to mark a restore while processes use the database, and mark it afterwards", async () => {
    const refused = await run("log-restored");
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("The registry is running");
    for (const { child } of processes) child.kill("SIGTERM");
    for (const { exited } of processes) expect(await exited).toEqual({ code: 0, signal: null });
    expect(await openSessions()).toBeGreaterThan(0);
    const output = await succeed("log-restored");
    expect(await openSessions()).toBe(0);
    expect(output).toContain("The log has a new epoch.");
    expect(output).toContain("reports belongs to the log from before the restore");
    // Seven sign-ins from devices that the accounts did not know, and four changes of a second factor.
    expect(await succeed("reactions-release", "--drop")).toContain("11 unsent emails");
  });
});
