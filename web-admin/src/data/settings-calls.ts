import type { ChangeSettings, SystemSettings } from "#contracts/http/settings.ts";
import { SYSTEM_SETTINGS } from "#contracts/settings/settings-at.ts";
import type { ApiClient } from "./api-client.ts";

/** What the console does with the registry's settings. */
export interface SettingsCalls {
  /** What applies, and who last changed each setting. */
  settings(): Promise<{ data: SystemSettings }>;
  /** Changes settings. @returns the server's sentence. */
  changeSettings(change: ChangeSettings): Promise<string | undefined>;
}

/** These calls with one session's client. */
export function settingsCalls(client: ApiClient): SettingsCalls {
  return {
    async settings() {
      const { json } = await client.request(SYSTEM_SETTINGS);
      return { data: (json as { data: SystemSettings }).data };
    },
    async changeSettings(change) {
      const { json } = await client.command(SYSTEM_SETTINGS, "PUT", change);
      return (json as { message?: string }).message;
    },
  };
}
