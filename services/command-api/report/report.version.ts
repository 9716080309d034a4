import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { noRevision } from "./report.restore.ts";

/** A report as it stood after a revision. @throws {DomainError} `not_found` @throws {KeyMissing} */
export async function reportAt(
  id: string,
  revision: number,
  {
    store,
    keys,
  }: { readonly store: Pick<EventStore, "readStream">; readonly keys: Pick<KeyStore, "get"> },
): Promise<ReportState> {
  const stored: StoredEvent[] = [];
  for await (const event of store.readStream(streams.report(id))) {
    stored.push(event);
    if (event.revision === revision) break;
  }
  if (stored.at(-1)?.revision !== revision) throw noRevision(revision);
  const found = await keys.get(registryCodec.subjectsOf(stored));
  let state: ReportState | undefined;
  for (const event of stored)
    state = evolveReport(state, registryCodec.openEvent(event, found) as ReportEvent);
  return state as ReportState;
}
