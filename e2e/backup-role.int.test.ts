import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { passwordsFrom } from "#launcher/migrate/roles.ts";
import { migrateWithRoles, urlsOf } from "#launcher/migrate/testing/service-roles.fixture.ts";
import { verifyBackup } from "#ops/backup/backups.ts";
import { requireRole } from "#ops/backup/cli.ts";
import { SERVICE_ROLES, urlAs } from "#runtime/db/service-roles.ts";
import { type System, startSystem } from "./support/in-process.ts";
import { approve, submit } from "./support/reports.ts";
import { installationOf, makeBackup, placesIn } from "./support/restored.ts";

let folder: string;
let owner: string;
let system: System;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-backup-role-"));
  system = await startSystem({
    async prepare(url, key) {
      owner = url;
      await migrateWithRoles(url, key);
      return urlsOf(url);
    },
  });
}, 120_000);
afterAll(async () => {
  await system?.close();
  await rm(folder, { recursive: true, force: true });
});

it("makes the same backup as the read-only role and as the owner", async () => {
  await approve(system, await submit(system));
  await system.stopWorkers();
  const source = installationOf(system, { eventStoreUrl: undefined, erasuresUrl: undefined });
  const partsAs = async (url: string, name: string) => {
    const places = placesIn(path.join(folder, name));
    const installation = { ...source, databaseUrl: url, eventStoreUrl: url, keysUrl: url };
    const made = await makeBackup(installation, places);
    const names = { data: made.name, keys: made.name };
    const { data, keys } = await verifyBackup(names, places, [system.masterKey]);
    const parts = Object.entries({ ...data.parts, ...keys.parts });
    return Object.fromEntries(
      parts.map(([part, { items, columns }]) => [part, { items, columns }]),
    );
  };
  const role = urlsOf(owner).backup;
  const own = await partsAs(role, "role");
  expect(own).toEqual(await partsAs(owner, "owner"));
  expect(own["table/keys.service_key"]?.items).toBeGreaterThan(5);
  expect(own["table/command.account"]?.items).toBeGreaterThan(0);
  expect(own.events?.items).toBeGreaterThan(0);
});

it("says what to do if the role does not exist yet", async () => {
  const { backup } = passwordsFrom("another secret");
  const url = urlAs(owner, SERVICE_ROLES.backup, backup);
  await expect(requireRole(url)).rejects.toThrow("start the registry once");
});
