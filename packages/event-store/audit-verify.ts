import { given } from "#contracts/given.ts";
import { type ChainFault, type ChainTip, verifyLink } from "./chain.ts";
import { type EventStore, type Position, type Revision, START, type StoredEvent } from "./port.ts";
import { parsePosition } from "./position.ts";

/** The first event of the log that does not fit. */
export interface LogFault {
  readonly position: Position;
  readonly stream: string;
  readonly revision: Revision;
  readonly id: string;
  /** `wrong_position`: the log does not ascend. `missing_position`: it leaves one out before. */
  readonly reason: ChainFault | "wrong_position" | "missing_position";
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

export interface VerifyOptions {
  /** Called every 10,000 events. */
  readonly onProgress?: (progress: {
    readonly events: number;
    readonly position: Position;
  }) => void;
  /** Streams whose last event is kept in memory, some 250 bytes each; 500,000 when absent. */
  readonly maxTips?: number;
}

/** Events between two calls of `onProgress`. */
const PROGRESS_EVERY = 10_000;
const MAX_TIPS = 500_000;
/** Events that are verified together, so that what must be looked up is looked up together. */
const PAGE = 256;
/** Streams that are read at once. */
const LOOK_UPS = 8;
/** The previous event, the event itself, and any duplicate. */
const WINDOW = 4;

/**
 * Walks the whole log and proves that no event was changed, removed, moved or inserted. It cannot
 * detect what is missing at the end of a stream or, where positions are only ascending, a missing
 * stream: compare `events`, `streams` and `position` with an earlier run for that. Memory is
 * bounded whatever the number of streams: beyond `maxTips` the streams that were not touched for
 * longest are forgotten, and the event before one of theirs is read from its stream. The walk has
 * verified that event, since it is at an earlier position.
 * @throws {StoreUnavailable}
 */
export async function verifyLog(
  store: EventStore,
  { onProgress, maxTips = MAX_TIPS }: VerifyOptions = {},
): Promise<LogVerification> {
  const started = performance.now();
  const tips = new StreamTips(store, maxTips);
  let events = 0;
  let streams = 0;
  let position = START;
  let fault: LogFault | undefined;
  walk: for await (const page of pagesOf(store.readAll())) {
    await tips.prepare(page);
    for (const event of page) {
      const { stream, revision, id } = event;
      const reason =
        event.position > position
          ? (verifyLink(await tips.before(event), event) ??
            (store.positions === "consecutive" ? missingBefore(event, position) : undefined))
          : "wrong_position";
      if (reason) {
        fault = { position: event.position, stream, revision, id, reason };
        break walk;
      }
      tips.set(event);
      events += 1;
      if (revision === 0) streams += 1;
      position = event.position;
      if (events % PROGRESS_EVERY === 0) onProgress?.({ events, position });
    }
  }
  const seconds = (performance.now() - started) / 1000;
  return { ...given({ fault }), events, streams, position, seconds };
}

function missingBefore(event: StoredEvent, previous: Position): "missing_position" | undefined {
  const isNext = parsePosition(event.position) === parsePosition(previous) + 1n;
  return isNext ? undefined : "missing_position";
}

/** The last event of each stream as far as the walk went; the least recently used are forgotten. */
class StreamTips {
  readonly #store: EventStore;
  readonly #max: number;
  /** In the order of use. */
  readonly #tips = new Map<string, ChainTip>();
  /** By event, what was looked up for the present page. */
  #prepared = new Map<string, ChainTip | undefined>();
  /** Whether a stream that is not among them was never seen. */
  #isComplete = true;

  constructor(store: EventStore, max: number) {
    this.#store = store;
    this.#max = max;
  }

  /** Looks up what the events of a page are going to need. */
  async prepare(page: readonly StoredEvent[]): Promise<void> {
    this.#prepared = new Map();
    if (this.#isComplete) return;
    const unknown = page.filter(({ stream }) => !this.#tips.has(stream)).values();
    const work = async () => {
      for (const event of unknown) this.#prepared.set(event.id, await this.#lookUp(event));
    };
    await Promise.all(Array.from({ length: LOOK_UPS }, work));
  }

  /** The event before this one in its stream; undefined when there is none. */
  async before(event: StoredEvent): Promise<ChainTip | undefined> {
    const known = this.#tips.get(event.stream);
    if (known || this.#isComplete) return known;
    return this.#prepared.has(event.id) ? this.#prepared.get(event.id) : this.#lookUp(event);
  }

  set({ stream, revision, metadata: { hash } }: StoredEvent): void {
    this.#tips.delete(stream);
    this.#tips.set(stream, { revision, hash });
    if (this.#tips.size <= this.#max) return;
    this.#tips.delete(this.#tips.keys().next().value as string);
    this.#isComplete = false;
  }

  /** What the stream holds at an earlier position, from the revision before the event's own. */
  async #lookUp(event: StoredEvent): Promise<ChainTip | undefined> {
    const from = Math.max(0, event.revision - 1);
    let tip: ChainTip | undefined;
    for await (const found of this.#store.readStream(event.stream, from, { limit: WINDOW }))
      if (found.position < event.position)
        tip = { revision: found.revision, hash: found.metadata.hash };
    return tip;
  }
}

async function* pagesOf(events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent[]> {
  let page: StoredEvent[] = [];
  for await (const event of events) {
    page.push(event);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
