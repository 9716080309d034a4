import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { openSharedServer, type Shared } from "#test-kit/on-demand.ts";
import { startRegistry } from "./registry.ts";
import { ADMIN } from "./sessions.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL for requesting a registry that other tests use too: see `shared.ts`. */
    registriesDoor: string;
  }
}

/** Vitest global setup: starts a registry for each name that a test asks for. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const door = await openSharedServer(start);
  project.provide("registriesDoor", door.url);
  return door.close;
}

async function start(): Promise<Shared> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-shared-"));
  const registry = await startRegistry({
    dataDir,
    env: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, RATE_LIMIT: "off" },
  });
  return {
    answer: { url: registry.url, dataDir },
    async close() {
      await registry.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
