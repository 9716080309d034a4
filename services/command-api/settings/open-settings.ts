import type { Logger } from "pino";
import { type KeptDays, keptDays } from "#contracts/settings/catalogue.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventStore } from "#event-store/port.ts";
import { logDebug } from "#runtime/log.ts";
import { desksIn, SettingsFollower, staffFactorIn } from "#settings/settings-follower.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { CommandApiConfig } from "../config.ts";

/** The settings of this process, and what follows from them and from what the operator has named. All is as of now. */
export interface OpenedSettings {
  readonly follower: SettingsFollower;
  readonly settings: () => Settings;
  /** The settings as the log has them, also what was appended a moment ago. */
  readonly latest: () => Promise<Settings>;
  readonly kept: () => KeptDays;
  /** Whom people write to. */
  readonly support: () => string;
  readonly letterhead: { readonly productName: string; readonly supportEmail: string };
  /** Whether staff need a second factor. */
  readonly staffFactor: () => "on" | "off";
}

/** Reads the settings, and goes on reading once the follower is started. */
export async function openSettings(
  config: Pick<CommandApiConfig, "productName" | "supportEmail" | "staffSecondFactor">,
  deps: { readonly store: EventStore; readonly keys: KeyStore; readonly log: Logger },
): Promise<OpenedSettings> {
  const follower = new SettingsFollower({
    ...deps,
    onChange: ({ debugMode }) => logDebug(deps.log, debugMode),
  });
  await follower.read();
  const { settings } = follower;
  const support = () => desksIn(settings(), config).support;
  return {
    follower,
    settings,
    async latest() {
      await follower.read();
      return settings();
    },
    kept: () => keptDays(settings()),
    support,
    letterhead: {
      productName: config.productName,
      get supportEmail() {
        return support();
      },
    },
    staffFactor: () => staffFactorIn(settings(), config.staffSecondFactor),
  };
}
