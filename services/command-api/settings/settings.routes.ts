import { DomainError } from "#contracts/domain-error.ts";
import { ChangeSettings, SettingsChangedReply } from "#contracts/http/settings.ts";
import { CHANGE_SETTINGS, SYSTEM_SETTINGS } from "#contracts/settings/settings-at.ts";
import type { Actor } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { SettingsService } from "./settings.service.ts";

/** The route by which admins change the settings. */
export function settingsRoutes(app: ServiceInstance, side: WriteSide): void {
  const { handler, admins, present, requests } = side;
  const settings = new SettingsService({ handler, admins, follower: present.follower });
  addCommandRoutes(app, [
    commandRoute({
      method: "PUT",
      url: SYSTEM_SETTINGS,
      roles: ["admin"],
      limit: "write",
      proof: true,
      tag: "system",
      summary: "Change settings of the registry; they apply in every process within two seconds",
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
      "Set up two-factor sign-in of your own account first. Then you can decide whether staff need it.",
    );
}
