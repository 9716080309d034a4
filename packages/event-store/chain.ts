import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { EventMetadata, EventObject, EventToAppend, Revision, StoredEvent } from "./port.ts";

/** Used in place of the previous event's hash for the first event of a stream. */
export const GENESIS_HASH = "0".repeat(64);

/** An event whose hash is not computed yet. */
export interface EventWithoutHash {
  readonly id: string;
  readonly type: string;
  readonly data: EventObject;
  readonly metadata: Omit<EventMetadata, "hash">;
}

/** An event and its place in a stream: everything that the hash covers. */
export interface EventInStream extends EventWithoutHash {
  readonly stream: string;
  readonly revision: Revision;
}

/**
 * SHA-256, in lower-case hex, of the RFC 8785 canonical JSON of `{ previous, id, stream, revision,
 * type, data, metadata }`, where `metadata` has no `hash`. It depends neither on the order of keys
 * nor on the bytes in which a store keeps the event.
 *
 * @param previous hash of the event before it in the stream; {@link GENESIS_HASH} for the first.
 * @throws for values that RFC 8785 cannot represent: lone surrogates, numbers that are not finite.
 */
export function eventHash(previous: string, event: EventInStream): string {
  const { id, stream, revision, type, data } = event;
  const { hash: _, ...metadata } = event.metadata as Partial<EventMetadata>;
  const text = canonicalize({ previous, id, stream, revision, type, data, metadata });
  return createHash("sha256")
    .update(text as string, "utf8")
    .digest("hex");
}

/**
 * Adds the hashes that chain a batch to its stream.
 * @param firstRevision revision that the first of the events will have.
 * @param previousHash hash of the stream's last event; {@link GENESIS_HASH} for a new stream.
 */
export function chainEvents(
  stream: string,
  firstRevision: Revision,
  previousHash: string,
  events: readonly EventWithoutHash[],
): EventToAppend[] {
  let previous = previousHash;
  return events.map(({ id, type, data, metadata }, index) => {
    const revision = firstRevision + index;
    previous = eventHash(previous, { id, stream, revision, type, data, metadata });
    return { id, type, data, metadata: { ...metadata, hash: previous } };
  });
}

/** How far the chain of one stream has been walked. */
export interface ChainTip {
  readonly revision: Revision;
  readonly hash: string;
}

/** Why an event does not follow the one before it. */
export type ChainFault =
  /** Its revision is not the next one: events before it are missing, or it is a duplicate. */
  | "wrong_revision"
  /** The event, or the hash of its predecessor, is not what was stored. */
  | "wrong_hash";

/**
 * One step of an audit: checks that the event follows the tip of its stream.
 * @param tip undefined before the first event of the stream.
 */
export function verifyLink(tip: ChainTip | undefined, event: StoredEvent): ChainFault | undefined {
  if (event.revision !== (tip ? tip.revision + 1 : 0)) return "wrong_revision";
  const hash = expectedHash(tip?.hash ?? GENESIS_HASH, event);
  return hash !== undefined && hash === event.metadata.hash ? undefined : "wrong_hash";
}

/** Undefined for content without a canonical form, which no writer can have stored. */
function expectedHash(previous: string, event: StoredEvent): string | undefined {
  try {
    return eventHash(previous, event);
  } catch {
    return undefined;
  }
}
