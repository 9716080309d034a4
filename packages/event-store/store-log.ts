import type { EventStore } from "./port.ts";

/** An adapter's log about its connections; a pino logger fits. Event data is never logged. */
export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export const silent: StoreLog = { info: () => undefined, warn: () => undefined };

/** The stream of events about the log itself. */
export const LOG_STREAM = "log";

/** Events that make all earlier positions meaningless. Other events in the stream do not. */
export const EPOCH_EVENTS: ReadonlySet<string> = new Set(["LogStarted", "LogRestored"]);

/**
 * Returns the log's epoch: the id of the last `LogStarted` or `LogRestored` in the stream `log`.
 * Positions from another epoch, in checkpoints or headers, must not be used.
 * @returns undefined for a log that was never started.
 * @throws {StoreUnavailable}
 */
export async function readEpoch(store: EventStore): Promise<string | undefined> {
  for await (const event of store.readStream(LOG_STREAM, "end", { direction: "backwards" }))
    if (EPOCH_EVENTS.has(event.type)) return event.id;
  return undefined;
}
