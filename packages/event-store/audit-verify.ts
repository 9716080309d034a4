import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type ChainFault, type ChainTip, verifyLink } from "./batch.ts";
import {
  type EventStore,
  type Position,
  parsePosition,
  type Revision,
  START,
  type StoredEvent,
} from "./port.ts";

/** The first event in the log that does not follow from those before it. */
interface LogFault {
  readonly position: Position;
  readonly stream: string;
  readonly revision: Revision;
  readonly id: string;
  /** `wrong_position`: positions do not ascend. `missing_position`: there is a gap before this event. */
  readonly reason: ChainFault | "wrong_position" | "missing_position";
}

interface LogVerification {
  readonly fault?: LogFault;
  readonly events: number;
  readonly streams: number;
  readonly position: Position;
  readonly seconds: number;
}

interface VerifyOptions {
  /** Called every 10,000 events; the walk waits for it. */
  readonly onProgress?: (progress: {
    readonly events: number;
    readonly position: Position;
  }) => void | Promise<void>;
  /** Ends the walk early; it then returns what was verified so far. */
  readonly signal?: AbortSignal;
  /** Number of streams whose last event is kept in memory, at about 250 bytes each; 500,000 when absent. */
  readonly maxTips?: number;
}

/** Events between two calls of `onProgress`. */
const PROGRESS_EVERY = 10_000;
const MAX_TIPS = 500_000;
/** Events that are verified together, so that their lookups run concurrently. */
const PAGE = 256;
/** Maximum number of concurrent lookups. */
const LOOK_UPS = 8;
/** Events that one lookup reads: the previous event, the event itself, and any duplicate. */
const WINDOW = 4;

/**
 * Walks the whole log and proves that no event was changed, removed, moved or inserted. It cannot
 * detect that events are missing at the end of a stream or, where positions are only ascending, that a
 * whole stream is missing. For that, compare `events`, `streams` and `position` with an earlier run.
 *
 * Memory is bounded for any number of streams: beyond `maxTips` the least recently used streams are
 * evicted, and an event's predecessor in one of them is read again from its stream. The walk has already
 * verified that predecessor, since its position is earlier.
 * @throws {StoreUnavailable}
 */
export async function verifyLog(
  store: EventStore,
  { onProgress, signal, maxTips = MAX_TIPS }: VerifyOptions = {},
): Promise<LogVerification> {
  const started = performance.now();
  const tips = new StreamTips(store, maxTips);
  let events = 0;
  let streams = 0;
  let position = START;
  let fault: LogFault | undefined;
  walk: for await (const page of pagesOf(store.readAll())) {
    if (signal?.aborted) break;
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
      if (events % PROGRESS_EVERY === 0) await onProgress?.({ events, position });
    }
  }
  const seconds = (performance.now() - started) / 1000;
  return { ...omitUndefined({ fault }), events, streams, position, seconds };
}

function missingBefore(event: StoredEvent, previous: Position): "missing_position" | undefined {
  const isNext = parsePosition(event.position) === parsePosition(previous) + 1n;
  return isNext ? undefined : "missing_position";
}

/** The last event seen of each stream. The least recently used streams are evicted. */
class StreamTips {
  readonly #store: EventStore;
  readonly #max: number;
  /** Least recently used first. */
  readonly #tips = new Map<string, ChainTip>();
  /** Lookup results for the current page, by event. */
  #prepared = new Map<string, ChainTip | undefined>();
  /** Whether no stream was evicted yet, so that a stream without a tip is new. */
  #isComplete = true;

  constructor(store: EventStore, max: number) {
    this.#store = store;
    this.#max = max;
  }

  async prepare(page: readonly StoredEvent[]): Promise<void> {
    this.#prepared = new Map();
    if (this.#isComplete) return;
    const unknown = page.filter(({ stream }) => !this.#tips.has(stream)).values();
    const work = async () => {
      for (const event of unknown) this.#prepared.set(event.id, await this.#lookUp(event));
    };
    await Promise.all(Array.from({ length: LOOK_UPS }, work));
  }

  /** Returns the event before this one in its stream; undefined if there is none. */
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

  /** Reads the stream from the previous revision on, and returns the last event at an earlier position. */
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

const REASONS = {
  wrong_hash: "its content or its place in the chain was changed",
  wrong_revision: "an event before it is missing, or one was inserted",
  wrong_position: "it is out of order in the log",
  missing_position: "events before it are missing from the log",
} as const satisfies Record<LogFault["reason"], string>;

/** Describes what is wrong with the log, for operators and admins. Contains ids only. */
export function faultSentence({ id, stream, revision, position, reason }: LogFault): string {
  return `The log does not verify at event ${id} (stream ${stream}, revision ${revision}, position ${position}): ${REASONS[reason]}.`;
}
