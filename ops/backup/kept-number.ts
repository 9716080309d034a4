import { streams } from "#contracts/events/index.ts";
import { settingsAt } from "#contracts/settings/settings-at.ts";
import type { EventStore } from "#event-store/port.ts";

/** For how many days backups are kept, as admins have set it: it is in the clear. 0 where they have not. */
export async function setNumber(store: Pick<EventStore, "readStream">): Promise<number> {
  let backupKeep = 0;
  for await (const { data } of store.readStream(streams.settings))
    if (typeof data.backup_keep === "number") backupKeep = data.backup_keep;
  return settingsAt({ values: { backupKeep } }, Date.now()).backupKeep;
}
