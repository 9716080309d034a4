import type { ResolvedEvent } from "@eventstore/db-client";
import { isStreamName } from "../batch.ts";
import { type EventMetadata, type EventObject, formatPosition, type StoredEvent } from "../port.ts";

/** An event as the client returns it. */
export type RecordedEvent = NonNullable<ResolvedEvent["event"]>;

/** Positions are signed 64-bit numbers on the server; its "none" is the largest unsigned one. */
export const MAX_POSITION = 2n ** 63n - 1n;

/** Returns the commit position. @throws {Error} for versions before 22.6, which send none with a stream's events. */
export function positionOf({ position }: RecordedEvent): bigint {
  if (!position || position.commit > MAX_POSITION)
    throw new Error("the server sends no positions: EventStoreDB 22.6 or newer is needed");
  return position.commit;
}

/** Whether an event belongs to the registry's log: system types start with "$", and other programs use other names. */
export function isOfTheLog({ streamId, type }: RecordedEvent): boolean {
  return !type.startsWith("$") && isStreamName(streamId);
}

/** Data that is not a JSON object was tampered with. It is passed on so that the audit reports it. */
export function toStored(event: RecordedEvent): StoredEvent {
  const { id, streamId, revision, type, metadata, data } = event;
  return {
    id,
    stream: streamId,
    revision: Number(revision),
    position: formatPosition(positionOf(event)),
    type,
    data: (data instanceof Uint8Array ? Buffer.from(data).toString("base64") : data) as EventObject,
    metadata: (isObject(metadata) ? metadata : {}) as unknown as EventMetadata,
  };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

/** Ids kept for all streams, about 10 MB. The most recently used stream always stays. */
const MAX_IDS = 100_000;

/** The ids of streams' events, contiguous from the first one. They never change, so they are cached. */
export class StreamIds {
  /** The most recently used stream comes last. */
  readonly #streams = new Map<string, string[]>();
  readonly #maxIds: number;
  #count = 0;

  constructor(maxIds = MAX_IDS) {
    this.#maxIds = maxIds;
  }

  /** Returns a stream's known ids; the id of revision n is at index n. */
  known(stream: string): readonly string[] {
    const ids = this.#streams.get(stream);
    if (!ids) return [];
    this.#streams.delete(stream);
    this.#streams.set(stream, ids);
    return ids;
  }

  /** Records an event's id if it continues the known ones. */
  note(stream: string, revision: number, id: string): void {
    let ids = this.#streams.get(stream);
    if (revision !== (ids?.length ?? 0)) return;
    if (!ids) {
      ids = [];
      this.#streams.set(stream, ids);
    }
    ids.push(id);
    this.#count += 1;
    if (this.#count > this.#maxIds) this.#forgetOthers(stream);
  }

  #forgetOthers(stream: string): void {
    for (const [other, { length }] of this.#streams) {
      if (this.#count <= this.#maxIds) return;
      if (other === stream) continue;
      this.#streams.delete(other);
      this.#count -= length;
    }
  }
}
