import { inject } from "vitest";
import { askDoor } from "#test-kit/on-demand.ts";
import { sharedBrowser } from "../../e2e/support/shared.ts";
import { openStage, type Setting, type Stage } from "./stage.ts";

/** The screens of a registry with sample data. All tests of a run share it, and change nothing that others see. */
export async function sharedStage(): Promise<Stage> {
  const setting = await askDoor<Setting>(inject("settingDoor"));
  return openStage(setting, await sharedBrowser());
}
