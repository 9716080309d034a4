import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { evolveSettings, type SettingsState } from "#contracts/events/settings/settings-fold.ts";
import { given } from "#contracts/given.ts";
import { ChangeSettings, SettingsChangedReply } from "#contracts/http/settings.ts";
import { subjects } from "#contracts/sealed.ts";
import {
  CHANGE_SETTINGS,
  type Settings,
  SYSTEM_SETTINGS,
  settingsAt,
} from "#contracts/settings/settings-at.ts";
import type { Actor } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import { type CommandEnvelope, type Outcome, ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import type { WriteSide } from "../write-side.ts";
import { decideSettings, type SettingsCommand } from "./settings.decider.ts";

/** The route by which admins change the settings. */
export function settingsRoutes(app: ServiceInstance, side: WriteSide): void {
  const { requests } = side;
  const settings = new SettingsService(side);
  addCommandRoutes(app, [
    commandRoute({
      method: "PUT",
      url: SYSTEM_SETTINGS,
      roles: ["admin"],
      limit: "write",
      proof: true,
      tag: "system",
      summary: "Change the registry's settings; they apply in every process within two seconds",
      body: ChangeSettings,
      reply: SettingsChangedReply,
      async run(request, response) {
        const { revision: seen, ...changes } = request.body;
        if (changes.staffSecondFactor !== undefined) refuseWithoutFactor(request.actor);
        const envelope = requests.envelope(request, "settings", request.body);
        const changed = await settings.change(changes, seen, envelope);
        requests.position(response, changed.position);
        const data = { ...changed.settings, revision: changed.revision };
        return succeed(data, { message: CHANGE_SETTINGS.done });
      },
    }),
  ]);
}

/**
 * Whoever has no second factor could lock themselves out of the next step with this rule.
 * @throws {DomainError} `second_factor_required`
 */
function refuseWithoutFactor(actor: Actor): void {
  if (actor.lacksFactor)
    throw new DomainError(
      "second_factor_required",
      "Set up two-factor authentication for your own account first. Then you can decide whether staff need it.",
    );
}

type Deps = Pick<WriteSide, "handler" | "admins" | "follower">;

/** What applies after a change. */
interface ChangedSettings extends Pick<Outcome<unknown>, "position" | "revision"> {
  readonly settings: Settings;
}

/** Changes the registry's settings. */
class SettingsService {
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

/** The stream, key, fold and decider of the settings. */
export const settingsAggregate: Aggregate<SettingsState, SettingsCommand> = {
  stream: streams.settings,
  subjects: { content: subjects.settings },
  bodySubjects: [subjects.settings],
  clientSubject: (caller) => ownSubject(caller) ?? subjects.settings,
  newSubjects: () => [{ subject: subjects.settings }],
  evolve: evolveSettings,
  decide: decideSettings,
};
