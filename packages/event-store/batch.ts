import { InvalidBatch } from "./errors.ts";
import { assertEventJson } from "./event-json.ts";
import type { EventToAppend, ExpectedRevision } from "./port.ts";

/**
 * Limit of one append: the bytes, in UTF-8, of the batch as `JSON.stringify` writes it, an array of
 * `{ id, type, data, metadata }`. Names of fields, ids and punctuation count; the stream's name and
 * its revisions do not. The figure is never less than what EventStoreDB counts, whose limit is the
 * same.
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
  /** The events as one JSON array. */
  readonly json: string;
  /** Length of `json` in UTF-8. */
  readonly bytes: number;
}

/**
 * Whether a text is a valid name of a stream, such as `report-17` or `log`: at most 100 characters.
 */
export function isStreamName(name: string): boolean {
  return name.length <= STREAM_LENGTH && STREAM.test(name);
}

/**
 * Checks a batch before any I/O.
 * @throws {InvalidBatch} names the path of what is wrong, never its value.
 */
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
    if (ids.has(event.id)) throw new InvalidBatch(`events[${index}].id is there twice`);
    ids.add(event.id);
  }
  const json = JSON.stringify(
    events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
  );
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_APPEND_BYTES)
    throw new InvalidBatch(`the batch has ${bytes} bytes, ${MAX_APPEND_BYTES} are the limit`);
  return { ids: [...ids], json, bytes };
}

function checkEvent(event: EventToAppend, path: string): void {
  if (typeof event !== "object" || event === null) throw new InvalidBatch(`${path} is no event`);
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
