import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataPaths } from "#launcher/data-folder.ts";
import { databaseName } from "#local-servers/postgres/open.ts";
import { readPostmaster, serverUrl } from "#local-servers/postgres/server.ts";
import { type Registry, startRegistry } from "./support/registry.ts";

let folder: string;
let first: Registry;
/** The first registry's stores, for a second one. */
let url: string;
let masterKey: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-second-"));
  const dataDir = path.join(folder, "first");
  first = await startRegistry({ dataDir });
  const paths = dataPaths(dataDir);
  const { port } = await readPostmaster(paths.cluster);
  const password = (await readFile(paths.databasePassword, "utf8")).trim();
  url = serverUrl(port as number, password, databaseName);
  masterKey = (await readFile(paths.masterKey, "utf8")).trim();
});
afterAll(async () => {
  await first?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe("npm start on another registry's stores", { timeout: 300_000 }, () => {
  it("stands by, and stops in time", async () => {
    const env = {
      DATABASE_URL: url,
      KEYS_URL: url,
      EVENT_STORE_URL: url,
      MASTER_KEY: masterKey,
    };
    const second = await startRegistry({ dataDir: path.join(folder, "second"), env });
    expect(second.output()).not.toContain("Not ready:");
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    // It would exit with 1 if it had missed its time limit.
    expect(await second.stop()).toBe(0);
    expect(second.output()).not.toContain("Not everything was finished in time");
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });
});
