import { randomUUID } from "node:crypto";
import { type EventWithoutHash, GENESIS_HASH } from "../batch.ts";
import type {
  EventMetadata,
  EventObject,
  EventStore,
  EventToAppend,
  StoredEvent,
} from "../port.ts";

/** An unused stream; `category` is the part before the first hyphen. */
export function newStream(category = "report"): string {
  return `${category}-${randomUUID()}`;
}

/** An unused category of streams. */
export function newCategory(): string {
  return `c${randomUUID().replace(/[^a-f]/g, "")}${randomUUID().replace(/[^a-f]/g, "")}`;
}

const metadata: Omit<EventMetadata, "hash"> = {
  actor: { id: "system", role: "system" },
  origin: "live",
  command: "NoteThing",
  commandId: "c0ffee",
  correlationId: "8c5b1f6e-8d0c-4c43-93d6-6b0b7a3f2f11",
  causationId: "8c5b1f6e-8d0c-4c43-93d6-6b0b7a3f2f11",
  schemaVersion: 1,
  time: "2026-11-02T10:20:30.456Z",
};

/** An event with its own id, not yet chained. */
export function draft(
  data: EventObject = { note: "thing" },
  type = "ThingNoted",
): EventWithoutHash {
  return { id: randomUUID(), type, data, metadata };
}

/** An event whose hash is well formed but chains nothing. */
export function event(data?: EventObject, type?: string): EventToAppend {
  const { metadata, ...rest } = draft(data, type);
  return { ...rest, metadata: { ...metadata, hash: GENESIS_HASH } };
}

/** `count` events, numbered in their data. */
export function events(count: number, type?: string): EventToAppend[] {
  return Array.from({ length: count }, (_, n) => event({ n }, type));
}

/** One event whose batch has exactly the given number of bytes, half of them in two-byte characters. */
export function batchOfBytes(bytes: number): EventToAppend[] {
  const { id, type, data, metadata } = event({ text: "" });
  const missing = bytes - Buffer.byteLength(JSON.stringify([{ id, type, data, metadata }]));
  const wide = Math.floor(missing / 4);
  return [
    { id, type, data: { text: "é".repeat(wide) + "x".repeat(missing - 2 * wide) }, metadata },
  ];
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the ids of a stream's events in order. */
export async function idsOf(store: EventStore, stream: string): Promise<string[]> {
  return ids(await collect(store.readStream(stream)));
}

export function ids(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

/** Returns what events must look like when read back, apart from their positions. */
export function asStored(
  stream: string,
  firstRevision: number,
  batch: readonly EventToAppend[],
): Omit<StoredEvent, "position">[] {
  return batch.map((item, index) => ({ ...item, stream, revision: firstRevision + index }));
}

/** Appends to a new stream. */
export async function given(
  store: EventStore,
  batch: readonly EventToAppend[],
  stream = newStream(),
): Promise<{ stream: string; revision: number; position: string }> {
  return { stream, ...(await store.append(stream, batch, "no_stream")) };
}
