import type { Logger } from "pino";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import type { EventStore } from "#event-store/port.ts";
import type { StoreSettings } from "#runtime/config/shared-settings.ts";
import {
  type ErasureLedger,
  openErasureLedger,
  recordErasures,
} from "./erasures/erasure-ledger.ts";
import type { KeyStore } from "./keys/key-store.ts";
import type { MasterKeySource } from "./keys/master-ring.ts";
import { openKeyStore } from "./keys/postgres-key-store.ts";

type Settings = Pick<StoreSettings, "keysUrl" | "eventStoreUrl" | "erasuresUrl" | "isRestoring"> & {
  readonly masterKeys: MasterKeySource;
};

/**
 * Opens the key store and the event log. With a ledger of erasures, every key is recorded before it is destroyed.
 * @throws like each of the openings; nothing stays open.
 */
export async function openKeysAndLog(
  { keysUrl, eventStoreUrl, erasuresUrl, isRestoring, masterKeys }: Settings,
  service: string,
  connections: { readonly keys: number; readonly log: number },
  options: { readonly log: Logger; readonly install?: boolean },
): Promise<{ keys: KeyStore; store: EventStore; ledger: ErasureLedger | undefined }> {
  const ledger = erasuresUrl === undefined ? undefined : openErasureLedger(erasuresUrl);
  const opened = await openKeyStore({
    database: keysUrl,
    masterKeys,
    maxConnections: connections.keys,
    name: service,
    ...omitUndefined({ isRestoring }),
  });
  const keys = ledger ? recordErasures(opened, ledger) : opened;
  try {
    const limits = { maxConnections: connections.log, name: `${service} log` };
    const store = await openEventStore(eventStoreUrl, { ...options, ...limits });
    return { keys, store, ledger };
  } catch (error) {
    await keys.close();
    throw error;
  }
}
