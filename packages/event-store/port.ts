/** The event log as the rest of the system sees it. Its adapters pass `contract-suite.ts`. */

/** A place in the whole log: an opaque string, zero-padded so that any two compare as text. */
export type Position = string;

/** The position before the first event; reading or subscribing from it yields everything. */
export const START: Position = "00000000000000000000";

/** Index of an event in its stream, from 0. */
export type Revision = number;

/** What the writer believes to be the stream's last revision. */
export type ExpectedRevision = Revision | "no_stream";

/** JSON that survives every store and RFC 8785: no null, no fractions, no NUL, no lone surrogate. */
export type EventJson = string | boolean | number | EventJson[] | { [key: string]: EventJson };
export type EventObject = { [key: string]: EventJson };

/** Who acted. `visitor` and `system` have no account: their id is the role's name. */
export type ActorRole = "visitor" | "user" | "admin" | "auditor" | "system";

/** Stored beside the data of every event; see docs/event-format.md. */
export interface EventMetadata {
  readonly actor: { readonly id: string; readonly role: ActorRole };
  /** `sample` marks events from the sample loader; nothing else can set it. */
  readonly origin: "live" | "sample";
  /** IP and user agent, encrypted (see sealed.ts in contracts); absent for system actors. */
  readonly client?: EventObject;
  /** Name of the command, such as `SubmitReport`. */
  readonly command: string;
  /** Hex HMAC that identifies the command. A retry under the same Idempotency-Key has the same one. */
  readonly commandId: string;
  /** Hex HMAC of the canonical body, under the keys of every subject whose data it may hold. */
  readonly bodyMac?: string;
  readonly correlationId: string;
  readonly causationId: string;
  readonly schemaVersion: number;
  /** RFC 3339, UTC, with milliseconds. */
  readonly time: string;
  /** Hex SHA-256 that chains the stream; see batch.ts. */
  readonly hash: string;
}

/** An event ready to be appended. Its id is chosen once and kept for every retry. */
export interface EventToAppend {
  /** A random UUID (RFC 9562, version 4). */
  readonly id: string;
  readonly type: string;
  readonly data: EventObject;
  readonly metadata: EventMetadata;
}

/** An event as read back. */
export interface StoredEvent extends EventToAppend {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

/** Restricts reads. An event must match both lists; an absent list lets everything pass, an empty one nothing. */
export interface EventFilter {
  /** A stream matches when its name starts with one of these literal prefixes. */
  readonly streamPrefixes?: readonly string[];
  readonly types?: readonly string[];
}

export interface AppendResult {
  /** Revision of the last event of the batch. */
  readonly revision: Revision;
  /** Position of the last event of the batch. */
  readonly position: Position;
}

export interface ReadOptions {
  readonly direction?: "forwards" | "backwards";
  /** At most this many events; unlimited when absent. */
  readonly limit?: number;
  /** Ends the read with the signal's reason as an error. */
  readonly signal?: AbortSignal;
}

/** A subscription's batch. `position` is how far the log was read, even without events, for a checkpoint to store. */
export interface SubscriptionBatch {
  readonly events: readonly StoredEvent[];
  readonly position: Position;
  /** True when nothing more was in the log when it was read. */
  readonly caughtUp: boolean;
}

export interface SubscribeOptions {
  /** Ends the subscription, without an error. */
  readonly signal: AbortSignal;
  /** Maximum number of events in a batch; 500 when absent. */
  readonly batchSize?: number;
  /** Minimum time between reads once caught up, in ms. The first event after a quiet time arrives immediately. */
  readonly paceMs?: number;
}

export interface EventStore {
  /** `consecutive`: from 1, without gaps. `ascending`: numbers may be skipped. */
  readonly positions: "consecutive" | "ascending";

  /**
   * Appends the batch whole, or not at all. If all ids of the batch are already in this stream, in
   * this order and right after `expected`, it is a retry: the first result is returned and nothing
   * is stored.
   * @throws {RevisionConflict} the stream is at another revision; carries the current revision.
   * @throws {InvalidBatch} empty, over 1 MiB (see batch.ts), a malformed name or id, an id twice,
   * data outside EventJson, or partly stored already.
   * @throws {StoreUnavailable} the outcome is unknown: append the same batch again.
   */
  append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<AppendResult>;

  /**
   * Returns the events of one stream from revision `from`, inclusive; none when the stream does not exist.
   * When `from` is absent: forwards from the first event, backwards from the last.
   * @throws {StoreUnavailable} possibly midway; continue after the last revision received.
   */
  readStream(
    stream: string,
    from?: Revision | "end",
    options?: ReadOptions,
  ): AsyncIterable<StoredEvent>;

  /**
   * Returns the whole log. Forwards: after `from` (exclusive), from the beginning when absent. Backwards:
   * before `from` (exclusive), from the end when absent.
   * @throws {StoreUnavailable} possibly midway; continue after the last position received.
   */
  readAll(from?: Position, filter?: EventFilter, options?: ReadOptions): AsyncIterable<StoredEvent>;

  /**
   * Follows the log after `from` (exclusive) until the signal aborts. When the server is down it waits,
   * with backoff and jitter, and resumes without loss or repetition. It pulls: a slow subscriber holds one
   * batch and blocks no one.
   */
  subscribeAll(
    from: Position,
    filter: EventFilter | undefined,
    options: SubscribeOptions,
  ): AsyncIterable<SubscriptionBatch>;

  /** Returns the position of the last event; START when the log is empty. */
  head(): Promise<Position>;

  /** Waits for appends in flight, then ends subscriptions, then connections. */
  close(): Promise<void>;
}

const DIGITS = 20;
const POSITION = /^[0-9]{20}$/;

/** Whether a text, such as a header's value or a checkpoint, has the form of a position. */
export function isPosition(text: string): text is Position {
  return POSITION.test(text);
}

/** Formats a store's own number as a position. */
export function formatPosition(value: bigint | string): Position {
  return value.toString().padStart(DIGITS, "0");
}

/** @throws {RangeError} the text is not a position. */
export function parsePosition(position: Position): bigint {
  if (!isPosition(position)) throw new RangeError("not a position: 20 digits are expected");
  return BigInt(position);
}

/** Another writer was first. `current` is the stream's current revision. */
export class RevisionConflict extends Error {
  override readonly name = "RevisionConflict";
  readonly stream: string;
  readonly current: Revision | "no_stream";
  constructor(stream: string, current: Revision | "no_stream") {
    super(`stream ${stream} is at ${current}`);
    this.stream = stream;
    this.current = current;
  }
}

/** The batch can never be stored in this form, and no part of it was stored. */
export class InvalidBatch extends Error {
  override readonly name = "InvalidBatch";
}

/** The store did not answer in time or is down. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** Whether an event passes. Without a filter every event does; an empty list lets none pass. */
export function passes(
  filter: EventFilter | undefined,
  event: Pick<StoredEvent, "stream" | "type">,
): boolean {
  const { streamPrefixes, types } = filter ?? {};
  return (
    (types === undefined || types.includes(event.type)) &&
    (streamPrefixes === undefined ||
      streamPrefixes.some((prefix) => event.stream.startsWith(prefix)))
  );
}
