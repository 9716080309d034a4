import { inject } from "vitest";
import { requestShared } from "#test-kit/on-demand.ts";
import { ADMIN, openSession, type StoredSession } from "../../e2e/support/sessions.ts";
import { sharedBrowser } from "../../e2e/support/shared.ts";
import type { Viewer } from "./screen.ts";
import { openStage, type Setting, type Stage } from "./stage.ts";

/** The registry with sample data shared by all tests of a run. They change nothing there that others see. */
export function sharedSetting(): Promise<Setting> {
  return requestShared(inject("settingDoor"));
}

/** Its screens, with separate sessions: tokens expire after 15 minutes, and a refresh invalidates earlier ones. */
export async function sharedStage(): Promise<Stage> {
  const setting = await sharedSetting();
  const sessions: Partial<Record<Viewer, StoredSession>> = {};
  for (const [viewer, { user }] of Object.entries(setting.sessions)) {
    const { email } = JSON.parse(user) as { email: string };
    const login = { email, password: ADMIN.password };
    sessions[viewer as Viewer] = await openSession(setting.url, login);
  }
  return openStage({ ...setting, sessions }, await sharedBrowser());
}
