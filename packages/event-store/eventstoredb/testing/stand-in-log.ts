import { randomUUID } from "node:crypto";

export interface StandInRecord {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Where the record begins, as a byte offset in an imaginary log file. */
  readonly position: bigint;
}

export type ProposedRecord = Pick<
  StandInRecord,
  "id" | "type" | "contentType" | "data" | "metadata"
>;

/** -1: the stream does not exist; "any": at any revision. */
export type ExpectedVersion = number | "any";

export type AppendOutcome =
  | { readonly outcome: "ok"; readonly revision: number; readonly position: bigint }
  | { readonly outcome: "wrong_version"; readonly current: number }
  | { readonly outcome: "too_large" };

const MAX_APPEND_SIZE = 1_048_576;

/** Bytes of a record beyond its content. */
const RECORD_OVERHEAD = 137;

/** Number of appends after which something else is added to the log, as on a real server. */
const NOISE_EVERY = 5;

/**
 * The stand-in's log, for tests. It copies the rules by which EventStoreDB 23.10 accepts an append,
 * including that it recognizes repeated appends by ids alone. Positions are byte offsets. Between the
 * events there are system records, projections' links and another program's events.
 */
export class StandInLog {
  readonly records: StandInRecord[] = [];
  readonly #streams = new Map<string, StandInRecord[]>();
  readonly #byPosition = new Map<bigint, number>();
  readonly #listeners = new Set<() => void>();
  #end = 0n;
  #appends = 0;

  constructor() {
    this.#write("$settings", [noise("$UserAclChanged")]);
    this.#write("$users", [noise("$User"), noise("$User")]);
  }

  stream(name: string): readonly StandInRecord[] {
    return this.#streams.get(name) ?? [];
  }

  /** Returns the index of the record that begins at a position; undefined if none does. */
  indexOf(position: bigint): number | undefined {
    return this.#byPosition.get(position);
  }

  /** Calls `listener` after every append, until the returned function is called. */
  onGrown(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  append(
    stream: string,
    expected: ExpectedVersion,
    events: readonly ProposedRecord[],
  ): AppendOutcome {
    const size = events.reduce(
      (sum, { type, data, metadata }) => sum + data.length + metadata.length + 2 * type.length,
      0,
    );
    if (size > MAX_APPEND_SIZE) return { outcome: "too_large" };
    const stored = this.stream(stream);
    const current = stored.length - 1;
    if (expected !== "any" && expected < current) {
      // Like the real server, this compares ids only, and only here.
      const same = events.every(({ id }, index) => stored[expected + 1 + index]?.id === id);
      const last = stored[expected + events.length];
      if (!same || !last) return { outcome: "wrong_version", current };
      return { outcome: "ok", revision: last.revision, position: last.position };
    }
    if (expected !== "any" && expected > current) return { outcome: "wrong_version", current };
    this.#write(stream, events);
    const { revision, position } = this.records.at(-1) as StandInRecord;
    this.#appends += 1;
    if (this.#appends % NOISE_EVERY === 0) this.#makeNoise(stream, revision);
    for (const listener of [...this.#listeners]) listener();
    return { outcome: "ok", revision, position };
  }

  #write(stream: string, events: readonly ProposedRecord[]): void {
    const own = this.#streams.get(stream) ?? [];
    this.#streams.set(stream, own);
    for (const event of events) {
      const record = {
        ...event,
        stream,
        revision: own.length,
        created: Date.now(),
        position: this.#end,
      };
      this.#byPosition.set(record.position, this.records.length);
      own.push(record);
      this.records.push(record);
      this.#end += BigInt(RECORD_OVERHEAD + event.data.length + event.metadata.length);
    }
  }

  #makeNoise(stream: string, revision: number): void {
    const link = { ...noise("$>"), data: Buffer.from(`${revision}@${stream}`) };
    this.#write(`$ce-${stream.split("-", 1)[0]}`, [link]);
    this.#write("links_of_somebody", [link]);
    this.#write("Shop_Orders", [{ ...noise("OrderPlaced"), metadata: new Uint8Array() }]);
    this.#write("$stats-127.0.0.1:2113", [noise("$statsCollected")]);
  }
}

function noise(type: string): ProposedRecord {
  return {
    id: randomUUID(),
    type,
    contentType: "application/json",
    data: Buffer.from("{}"),
    metadata: Buffer.from("{}"),
  };
}
