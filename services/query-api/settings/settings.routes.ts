import { given } from "#contracts/given.ts";
import { SystemSettingsReply } from "#contracts/http/settings.ts";
import { SYSTEM_SETTINGS, settingsAt } from "#contracts/settings/settings-at.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findSettings } from "./present-settings.ts";

/** The settings as admins see them. */
export function settingsRoutes(app: ServiceInstance, { db, names, freshness }: ReadSide): void {
  const read = reads(["admin"], "system", freshness.waitFor(["settings"], "any"));
  app.get(
    SYSTEM_SETTINGS,
    read({
      summary: "The registry's settings, and who last changed each",
      reply: SystemSettingsReply,
    }),
    async ({ log }) => {
      const row = await findSettings(db);
      const changed = Object.entries(row?.changes ?? {});
      const nameOf = await names.nameOf(
        changed.map(([, { by }]) => by),
        log,
      );
      const changes = changed.map(([name, { by, at }]) => [
        name,
        { at, ...given({ by: nameOf(by) }) },
      ]);
      return succeed({
        ...settingsAt(row?.state, Date.now()),
        revision: row?.state.revision ?? -1,
        changes: Object.fromEntries(changes),
      });
    },
  );
}
