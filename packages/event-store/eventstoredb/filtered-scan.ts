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

/** Events that the server looks through between two checkpoints. */
const WINDOW_EVENTS = 500;

/** Size, in characters of their texts, after which a scan takes no further event. */
const SCAN_SIZE = 4 * 1_048_576;

export interface ScanOptions {
  /** Exclusive; 0 is the beginning. */
  readonly after: bigint;
  /** Position of an existing event: the scan ends at the latest when it has passed it. */
  readonly target: bigint;
  readonly filter: EventFilter;
  /** Events at most. */
  readonly limit: number;
  /** Longest silence, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Scan {
  /** Events that pass, in order. */
  readonly events: readonly RecordedEvent[];
  /** How far the log was seen. */
  readonly position: bigint;
}

/**
 * Looks through a long part of the log with the filter at work on the server, which only a
 * subscription can do: what does not pass is not sent.
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
  // Checkpoints overtake events that wait in the client's buffer: those are delivered first.
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
    // A checkpoint may name a position that is not written yet; the target is there.
    const all = atTarget && events.length < limit && size < SCAN_SIZE;
    return { events, position: all && position < target ? target : position };
  } finally {
    over = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    leave(subscription);
  }
}

/** What the server can do of a filter: one list, of beginnings. The rest is done here. */
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
