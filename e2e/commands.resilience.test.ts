import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataPaths } from "#launcher/data-folder.ts";
import { clusterProcesses, endLeftovers } from "#local-servers/postgres/open.ts";
import { type Registry, runCommand, startRegistry } from "./support/registry.ts";

let scratch: string;
let dataDir: string;
let registry: Registry;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-commands-"));
  dataDir = path.join(scratch, "data");
  registry = await startRegistry({ dataDir });
});
afterAll(async () => {
  registry.signal("SIGKILL");
  await registry.exited;
  await endLeftovers(dataPaths(dataDir).cluster);
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
});

const run = (command: string, ...args: string[]) => runCommand(command, args, { dataDir });

/** Runs a command that must succeed. @returns what it printed. */
async function succeed(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await run(command, ...args);
  expect({ code, output }).toEqual({ code: 0, output });
  return output;
}

async function signIn(email: string, password: string): Promise<number> {
  const answer = await fetch(`${registry.url}/prod/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

function printed(output: string, label: string): string {
  return new RegExp(`^${label}: (.+)$`, "m").exec(output)?.[1] ?? "";
}

describe("the operator's commands", () => {
  it("add an account to the running registry", async () => {
    const output = await succeed("account-add", "--role", "auditor", "--email", "a@b.example");
    expect(await signIn("a@b.example", printed(output, "Auditor password"))).toBe(200);
  });

  it("reset the admin's password, which invalidates the old one", async () => {
    const first = {
      email: printed(registry.output(), "Admin email"),
      password: printed(registry.output(), "Admin password"),
    };
    expect(await readFile(path.join(dataDir, "first-admin"), "utf8")).toContain(first.password);
    expect(await signIn(first.email, first.password)).toBe(200);
    await expect(readFile(path.join(dataDir, "first-admin"), "utf8")).rejects.toThrow(/ENOENT/);
    const output = await succeed("admin-reset");
    expect(await signIn(first.email, first.password)).toBe(401);
    expect(await signIn(first.email, printed(output, "Admin password"))).toBe(200);
  });

  it("rotate the master key of a running registry, which keeps running and can restart", async () => {
    const before = await readFile(path.join(dataDir, "master-key"), "utf8");
    const output = await succeed("keys-rotate");
    expect(output).toMatch(/^\d+ keys are now wrapped with the new master key\.$/m);
    const after = await readFile(path.join(dataDir, "master-key"), "utf8");
    expect(after).not.toBe(before);
    expect(after.trim().split("\n")).toHaveLength(1);
    // Backups from before the rotation need it.
    expect(await readFile(path.join(dataDir, "previous-master-keys"), "utf8")).toBe(before);
    const added = await succeed("account-add", "--role", "user", "--email", "u@b.example");
    expect(await signIn("u@b.example", printed(added, "User password"))).toBe(200);
    expect(await registry.stop()).toBe(0);
    registry = await startRegistry({ dataDir });
    expect(await signIn("u@b.example", printed(added, "User password"))).toBe(200);
  });

  it("refuse to mark a restore while the registry runs", async () => {
    const { code, output } = await run("log-restored");
    expect(code).toBe(1);
    expect(output).toContain("The registry is running: stop it, run this, and start it again.");
  });

  it("verify the log and list parked streams, with the registry running or stopped", async () => {
    expect(await run("audit-verify")).toEqual({
      code: 0,
      output: expect.stringMatching(/^All \d+ events of/m),
    });
    expect(await succeed("parked")).toMatch(/^Nothing is parked\.$/m);
    expect(await registry.stop()).toBe(0);
    await succeed("audit-verify");
    await succeed("rebuild", "all");
    expect(await clusterProcesses(dataPaths(dataDir).cluster)).toEqual([]);
    registry = await startRegistry({ dataDir });
    expect((await fetch(`${registry.url}/readyz`)).status).toBe(200);
    await succeed("rebuild", "all");
    // The projector owns the rebuilt tables, and query-api reads them under its own role.
    for (const list of ["reports/recent", "reports/search?q=Ames", "habitual-offenders"])
      expect([list, (await fetch(`${registry.url}/prod/api/${list}`)).status]).toEqual([list, 200]);
  });
});
