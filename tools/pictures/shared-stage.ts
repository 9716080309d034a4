import { inject } from "vitest";
import { askDoor } from "#test-kit/on-demand.ts";
import { sharedBrowser } from "../../e2e/support/shared.ts";
import { openStage, type Setting, type Stage } from "./stage.ts";

/** The registry with sample data that all tests of a run share. They change nothing there that others see. */
export function sharedSetting(): Promise<Setting> {
  return askDoor(inject("settingDoor"));
}

/** Its screens. */
export async function sharedStage(): Promise<Stage> {
  return openStage(await sharedSetting(), await sharedBrowser());
}
