import { type ChainFault, type ChainTip, verifyLink } from "./chain.ts";
import { type EventStore, type Position, type Revision, START } from "./port.ts";

/** The first event of the log that does not fit. */
export interface LogFault {
  readonly position: Position;
  readonly stream: string;
  readonly revision: Revision;
  readonly id: string;
  /** `wrong_position`: the log does not ascend. */
  readonly reason: ChainFault | "wrong_position";
}

export interface LogVerification {
  /** Undefined when every event fits. */
  readonly fault?: LogFault;
  /** Events that were found to fit. */
  readonly events: number;
  readonly streams: number;
  /** Position of the last event that fits. */
  readonly position: Position;
  readonly seconds: number;
}

/** Events between two calls of `onProgress`. */
const PROGRESS_EVERY = 10_000;

/**
 * Walks the whole log and proves that no event was changed, left out, moved or put in between.
 * It cannot see what is missing at the end of a stream, or a stream that is gone as a whole:
 * compare `events`, `streams` and `position` with an earlier run for that.
 * Keeps revision and hash of each stream in memory, some 200 bytes a stream.
 *
 * @param onProgress called every 10,000 events.
 * @throws {StoreUnavailable}
 */
export async function verifyLog(
  store: EventStore,
  onProgress?: (progress: { readonly events: number; readonly position: Position }) => void,
): Promise<LogVerification> {
  const started = performance.now();
  const tips = new Map<string, ChainTip>();
  let events = 0;
  let position = START;
  let fault: LogFault | undefined;
  for await (const event of store.readAll()) {
    const { stream, revision, id } = event;
    const reason =
      event.position > position ? verifyLink(tips.get(stream), event) : "wrong_position";
    if (reason) {
      fault = { position: event.position, stream, revision, id, reason };
      break;
    }
    tips.set(stream, { revision, hash: event.metadata.hash });
    events += 1;
    position = event.position;
    if (events % PROGRESS_EVERY === 0) onProgress?.({ events, position });
  }
  const seconds = (performance.now() - started) / 1000;
  return { ...(fault ? { fault } : {}), events, streams: tips.size, position, seconds };
}
