import { ACCOUNT_DONE } from "#contracts/account/account-messages.ts";
import { profileProblems } from "#contracts/account/account-rules.ts";
import { ACCOUNT_KEPT_DAYS } from "#contracts/account/deadlines.ts";
import {
  DeleteAccount,
  DeleteAccountReply,
  EditProfile,
  EditProfileReply,
  SetPreferences,
  SetPreferencesReply,
} from "#contracts/http/account.ts";
import { SIGNED_IN } from "#http/actor.ts";
import { ACCOUNT_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { checked, commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { tidyForm } from "./registration.routes.ts";

/** Registers the routes for one's own profile. */
export function profileRoutes(app: ServiceInstance, { profiles, closing }: WriteSide): void {
  const command = commandsOf(app, "accounts");
  command("PUT", "/prod/api/auth/profile", {
    roles: SIGNED_IN,
    limit: "write",
    bounds: ACCOUNT_BOUNDS,
    summary: "Change your profile",
    body: EditProfile,
    reply: EditProfileReply,
    tidy: [tidyForm, checked(profileProblems)],
    async run(request) {
      const { body } = request;
      const envelope = request.envelope(request.actor.id, body);
      const { user, position } = await profiles.edit(body, envelope);
      return succeed({ user }, { message: ACCOUNT_DONE.profile, position });
    },
  });
  command("PUT", "/prod/api/auth/preferences", {
    roles: SIGNED_IN,
    limit: "write",
    bounds: ACCOUNT_BOUNDS,
    summary: "Set which emails you get",
    body: SetPreferences,
    reply: SetPreferencesReply,
    async run(request) {
      const { body } = request;
      const envelope = request.envelope(request.actor.id, body);
      const { preferences, position } = await profiles.setNotifications(body, envelope);
      return succeed({ preferences }, { message: ACCOUNT_DONE.preferences, position });
    },
  });
  command("DELETE", "/prod/api/auth/account", {
    roles: ["user"],
    limit: "sign_in",
    summary: `Delete your account in ${ACCOUNT_KEPT_DAYS} days; signing in cancels this. Reports stay`,
    body: DeleteAccount,
    reply: DeleteAccountReply,
    async run(request) {
      const { position, eraseAt: erase_at } = await closing.close(request.body, request.caller);
      return succeed({ erase_at }, { message: ACCOUNT_DONE.deleted, position });
    },
  });
}
