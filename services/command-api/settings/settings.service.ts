import { given } from "#contracts/given.ts";
import { type Settings, settingsAt } from "#contracts/settings/settings-at.ts";
import type { SettingsFollower } from "#settings/settings-follower.ts";
import type { CommandEnvelope, Outcome } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { settingsAggregate } from "./settings.aggregate.ts";
import type { SettingsCommand } from "./settings.commands.ts";

interface Deps {
  readonly handler: CommandHandler;
  readonly follower: Pick<SettingsFollower, "read">;
  /** Accounts of the active admins. */
  readonly admins: () => Promise<readonly string[]>;
}

/** What applies after a change. */
export interface ChangedSettings extends Pick<Outcome<unknown>, "position" | "revision"> {
  readonly settings: Settings;
}

/** Changes the registry's settings. */
export class SettingsService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The change applies in this process when it resolves, and in the others soon after.
   * @throws {DomainError} the decider's refusal; see `CommandHandler`.
   */
  async change(
    changes: SettingsCommand["changes"],
    seen: number | undefined,
    envelope: CommandEnvelope,
  ): Promise<ChangedSettings> {
    const { handler, follower } = this.#deps;
    const admins = await this.#deps.admins();
    const command = { type: "ChangeSettings", changes: given(changes), seen, admins } as const;
    const { state, revision, position } = await handler.execute(
      settingsAggregate,
      command,
      envelope,
    );
    await follower.read();
    return { settings: settingsAt(state, Date.parse(envelope.caller.now)), revision, position };
  }
}
