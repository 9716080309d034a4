import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import {
  type EventMetadata,
  type EventObject,
  type EventToAppend,
  type ExpectedRevision,
  InvalidBatch,
  type Revision,
  type StoredEvent,
} from "./port.ts";

/**
 * Maximum size of one append: the UTF-8 length in bytes of `JSON.stringify` of the batch, an array of
 * `{ id, type, data, metadata }`. Field names, ids and punctuation count; the stream's name and its
 * revisions do not. This is never less than what EventStoreDB counts, whose limit is the same.
 */
export const MAX_APPEND_BYTES = 1_048_576;

const STREAM = /^[a-z]+(-[a-z0-9-]+)?$/;
const STREAM_LENGTH = 100;
const TYPE = /^[A-Z][A-Za-z0-9]{0,63}$/;
/** Lower case only: a store may change the case, and the hash covers the text. */
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;

/** A batch that every store can keep. */
export interface CheckedBatch {
  readonly ids: readonly string[];
  readonly json: string;
  /** Length of `json` in UTF-8. */
  readonly bytes: number;
}

/** Whether a text is a valid stream name, such as `report-17` or `log`: at most 100 characters. */
export function isStreamName(name: string): boolean {
  return name.length <= STREAM_LENGTH && STREAM.test(name);
}

/** Checks a batch before any I/O. @throws {InvalidBatch} with the path of the fault, never its value. */
export function checkBatch(
  stream: string,
  events: readonly EventToAppend[],
  expected: ExpectedRevision,
): CheckedBatch {
  if (typeof stream !== "string" || !isStreamName(stream))
    throw new InvalidBatch("the stream's name must be like report-17, at most 100 characters");
  if (expected !== "no_stream" && !isRevision(expected))
    throw new InvalidBatch('the expected revision must be "no_stream" or an integer from 0');
  if (!Array.isArray(events) || events.length === 0) throw new InvalidBatch("the batch is empty");
  const ids = new Set<string>();
  for (const [index, event] of events.entries()) {
    checkEvent(event, `events[${index}]`);
    if (ids.has(event.id)) throw new InvalidBatch(`events[${index}].id is repeated`);
    ids.add(event.id);
  }
  const json = JSON.stringify(
    events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
  );
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_APPEND_BYTES)
    throw new InvalidBatch(`the batch is ${bytes} bytes; the limit is ${MAX_APPEND_BYTES}`);
  return { ids: [...ids], json, bytes };
}

function checkEvent(event: EventToAppend, path: string): void {
  if (typeof event !== "object" || event === null)
    throw new InvalidBatch(`${path} is not an event`);
  if (typeof event.id !== "string" || !UUID_V4.test(event.id))
    throw new InvalidBatch(`${path}.id must be a UUID of version 4 in lower case`);
  if (typeof event.type !== "string" || !TYPE.test(event.type))
    throw new InvalidBatch(`${path}.type must be a name in PascalCase of at most 64 characters`);
  assertEventJson(event.data, `${path}.data`);
  assertEventJson(event.metadata, `${path}.metadata`);
  if (typeof event.metadata.hash !== "string" || !HASH.test(event.metadata.hash))
    throw new InvalidBatch(`${path}.metadata.hash must be a SHA-256 in lower-case hex`);
}

function isRevision(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
}

/** Maximum nesting of objects and arrays, counted from the value itself. */
export const MAX_DEPTH = 32;

/** A key that is safe to show in a message: any other key could be someone's data. */
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * Accepts only what every store and RFC 8785 keep unchanged: well-formed strings without NUL,
 * booleans, safe integers, arrays and plain objects, at most {@link MAX_DEPTH} deep. No null, no
 * fraction, no negative zero, no undefined, and nothing that JSON would convert.
 * @param path where the value is; the message names the path, never the value.
 * @throws {InvalidBatch}
 */
export function assertEventJson(value: unknown, path: string): asserts value is EventObject {
  if (!isPlainObject(value)) refuse(path, "must be a plain object");
  check(value, path, 1);
}

function check(value: unknown, path: string, depth: number): void {
  if (typeof value === "string") {
    checkText(value, path);
  } else if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0))
      refuse(path, "must be a safe integer");
  } else if (typeof value === "object") {
    if (depth > MAX_DEPTH) refuse(path, `is nested deeper than ${MAX_DEPTH}`);
    if (Array.isArray(value)) checkArray(value, path, depth);
    else if (isPlainObject(value)) checkObject(value, path, depth);
    else refuse(path, value === null ? "must not be null" : "must be a plain object");
  } else if (typeof value !== "boolean") {
    refuse(path, `must not be ${typeof value}`);
  }
}

function checkText(text: string, path: string): void {
  if (!text.isWellFormed()) refuse(path, "contains a lone surrogate");
  if (text.includes("\0")) refuse(path, "contains U+0000");
}

function checkArray(array: readonly unknown[], path: string, depth: number): void {
  // Holes and extra properties would be lost. A plain array has exactly its items and `length` as
  // keys.
  if (Reflect.ownKeys(array).length !== array.length + 1) refuse(path, "must be a plain array");
  for (const [index, item] of array.entries()) check(item, `${path}[${index}]`, depth + 1);
}

function checkObject(object: Record<string, unknown>, path: string, depth: number): void {
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key === "symbol") refuse(path, "has a symbol for a key");
    checkText(key, `a key of ${path}`);
    // Readers copy objects field by field, and this name would change the copy's prototype.
    if (key === "__proto__") refuse(path, "has a key __proto__");
    const property = Object.getOwnPropertyDescriptor(object, key);
    if (!property?.enumerable || !("value" in property))
      refuse(path, "has a property that is not a plain field");
    check(property.value, `${path}.${PLAIN_KEY.test(key) ? key : "(key)"}`, depth + 1);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function refuse(path: string, why: string): never {
  throw new InvalidBatch(`${path} ${why}`);
}

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

/** Chains a batch. @param previousHash of the stream's last event; {@link GENESIS_HASH} for a new stream. */
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

/** How far the chain of one stream has been verified. */
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

/** One step of an audit: the event must follow the tip. @param tip undefined before the stream's first event. */
export function verifyLink(tip: ChainTip | undefined, event: StoredEvent): ChainFault | undefined {
  if (event.revision !== (tip ? tip.revision + 1 : 0)) return "wrong_revision";
  const hash = expectedHash(tip?.hash ?? GENESIS_HASH, event);
  return hash !== undefined && hash === event.metadata.hash ? undefined : "wrong_hash";
}

/** Returns undefined for content without a canonical form, which no writer can have stored. */
function expectedHash(previous: string, event: StoredEvent): string | undefined {
  try {
    return eventHash(previous, event);
  } catch {
    return undefined;
  }
}
