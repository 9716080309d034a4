import type { TestProject } from "vitest/node";
import { openSharedServer } from "#test-kit/on-demand.ts";
import { startSetting } from "./stage.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where tests get the registry with sample data; see `shared-stage.ts`. */
    settingDoor: string;
  }
}

/** Vitest global setup: one registry with sample data for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const door = await openSharedServer(async () => {
    const { close, ...answer } = await startSetting();
    return { answer, close };
  });
  project.provide("settingDoor", door.url);
  return door.close;
}
