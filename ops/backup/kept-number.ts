import { streams } from "#contracts/events/index.ts";
import { settingsAt } from "#contracts/settings/settings-at.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import type { EventStore } from "#event-store/port.ts";
import type { Installation } from "./backup.ts";

/** Of how many days backups stay. @param named by the operator; admins may have set another number. */
export async function keptNumber(
  { eventStoreUrl }: Pick<Installation, "eventStoreUrl">,
  named: number,
): Promise<number> {
  const store = await openEventStore(eventStoreUrl, { install: false, name: "backup" });
  try {
    return (await setNumber(store)) || named;
  } finally {
    await store.close();
  }
}

/** What admins have set: it stands in the clear, so no key is needed. 0 where nobody has. */
export async function setNumber(store: Pick<EventStore, "readStream">): Promise<number> {
  let backupKeep = 0;
  for await (const { data } of store.readStream(streams.settings))
    if (typeof data.backup_keep === "number") backupKeep = data.backup_keep;
  return settingsAt({ values: { backupKeep } }, Date.now()).backupKeep;
}
