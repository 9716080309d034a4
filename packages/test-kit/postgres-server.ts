import type { TestProject } from "vitest/node";
import { createTemporaryCluster } from "./temporary-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the maintenance database of the run's PostgreSQL server. */
    postgresUrl: string;
  }
}

/** Vitest global setup: one PostgreSQL server for all integration tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await createTemporaryCluster();
  const server = await cluster.start();
  project.provide("postgresUrl", server.url());
  return async () => {
    await server.stop();
    await cluster.remove();
  };
}
