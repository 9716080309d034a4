import type { EventStore } from "./port.ts";

/** The stream of events about the log itself. */
export const LOG_STREAM = "log";

/** Events that make all earlier positions meaningless. Other events in the stream do not. */
export const EPOCH_EVENTS: ReadonlySet<string> = new Set(["LogStarted", "LogRestored"]);

/**
 * The epoch of the log: id of the last `LogStarted` or `LogRestored` in the stream `log`.
 * Positions of another epoch, in checkpoints or headers, must not be used.
 * @returns undefined for a log that was never started.
 * @throws {StoreUnavailable}
 */
export async function readEpoch(store: EventStore): Promise<string | undefined> {
  for await (const event of store.readStream(LOG_STREAM, "end", { direction: "backwards" }))
    if (EPOCH_EVENTS.has(event.type)) return event.id;
  return undefined;
}
