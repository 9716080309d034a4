import {
  type EventStoreDBClient,
  eventTypeFilter,
  type Filter,
  streamNameFilter,
} from "@eventstore/db-client";
import { passes } from "../filter.ts";
import type { EventFilter } from "../port.ts";
import { NoAnswer } from "./failures.ts";
import { sizeOf } from "./log-reader.ts";
import { isOfTheLog, positionOf, type RecordedEvent } from "./records.ts";
import { leave, serverPosition } from "./tail-watcher.ts";

/** Events that the server checks between two checkpoints. */
const WINDOW_EVENTS = 500;

/** Size, in characters of the texts, at which a scan stops taking events. */
const SCAN_SIZE = 4 * 1_048_576;

export interface ScanOptions {
  /** Exclusive; 0 is the beginning. */
  readonly after: bigint;
  /** Position of an existing event. The scan ends once it has passed it, at the latest. */
  readonly target: bigint;
  readonly filter: EventFilter;
  /** Maximum number of events. */
  readonly limit: number;
  /** Longest silence, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Scan {
  /** Events that pass, in order. */
  readonly events: readonly RecordedEvent[];
  /** How far the log was scanned. */
  readonly position: bigint;
}

/**
 * Scans a long part of the log with the filter applied on the server, so that other events are not
 * sent. Only a subscription can do that.
 * @throws {NoAnswer} nothing came within the limit, not even a checkpoint. @throws the client's.
 */
export async function scanFiltered(
  client: Pick<EventStoreDBClient, "subscribeToAll">,
  { after, target, filter, limit, timeoutMs, signal }: ScanOptions,
): Promise<Scan> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const events: RecordedEvent[] = [];
  let size = 0;
  let position = after;
  let atTarget = false;
  let over = false;
  const finish = () => {
    over = true;
    resolve();
  };
  // Checkpoints can overtake events in the client's buffer, so the buffer must be empty first.
  const settle = () => {
    if (atTarget && !over && subscription.readableLength === 0) finish();
  };
  const reached = () => {
    atTarget = true;
    setImmediate(settle);
  };
  const timer = setTimeout(() => reject(new NoAnswer(timeoutMs)), timeoutMs);
  const subscription = client.subscribeToAll({
    fromPosition: serverPosition(after),
    filter: serverFilter(filter, (commit) => {
      timer.refresh();
      if (commit >= target) reached();
    }),
    resolveLinkTos: false,
    requiresLeader: true,
  });
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  subscription.on("caughtUp", reached);
  subscription.on("data", ({ event }) => {
    timer.refresh();
    if (over || !event) return;
    try {
      const at = positionOf(event);
      if (at > after) {
        position = at;
        if (isOfTheLog(event) && passes(filter, { stream: event.streamId, type: event.type })) {
          events.push(event);
          size += sizeOf(event.data) + sizeOf(event.metadata);
        }
      }
    } catch (error) {
      reject(error);
    }
    if (position >= target) atTarget = true;
    if (events.length >= limit || size >= SCAN_SIZE) finish();
    else settle();
  });
  subscription.on("error", reject);
  subscription.on("end", () => reject(new Error("the subscription has ended")));
  subscription.on("close", () => reject(new Error("the subscription was closed")));
  try {
    await promise;
    // A checkpoint may name a position that is not written yet. The target certainly is.
    const all = atTarget && events.length < limit && size < SCAN_SIZE;
    return { events, position: all && position < target ? target : position };
  } finally {
    over = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    leave(subscription);
  }
}

/**
 * The part of a filter that the server supports: one list of prefixes. The rest is checked here.
 */
function serverFilter(
  { streamPrefixes, types }: EventFilter,
  onCheckpoint: (commit: bigint) => void,
): Filter {
  const options = {
    checkpointInterval: 1,
    maxSearchWindow: WINDOW_EVENTS,
    checkpointReached: (_: unknown, { commit }: { commit: bigint }) => onCheckpoint(commit),
  };
  return streamPrefixes
    ? streamNameFilter({ ...options, prefixes: [...streamPrefixes] })
    : eventTypeFilter({ ...options, prefixes: [...(types ?? [])] });
}
