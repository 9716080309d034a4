import type { EventStore } from "#event-store/port.ts";
import { START } from "#event-store/port.ts";
import type { MailTransport } from "./transports/transport.ts";

const deletions = { types: ["ReportDeleted"] };

/** Milliseconds between two looks at the log: each event wakes them, and few are deletions. */
const PACE_MS = 100;

/**
 * Removes the kept mails of deleted reports, from the first deletion on at every start: a restored
 * older copy of the mails does not bring a person back either.
 * @param onCaughtUp called whenever all deletions known by then were followed.
 */
export async function eraseMails(
  store: EventStore,
  transport: MailTransport,
  signal: AbortSignal,
  onCaughtUp: () => void,
): Promise<void> {
  const options = { signal, paceMs: PACE_MS };
  for await (const batch of store.subscribeAll(START, deletions, options)) {
    for (const event of batch.events) {
      await transport.forget(event.stream.slice("report-".length));
    }
    if (batch.caughtUp) onCaughtUp();
  }
}
