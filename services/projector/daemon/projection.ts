import type pg from "pg";
import type { RegistryEvent } from "#contracts/events/index.ts";
import { type EventFilter, type Position, passes, type StoredEvent } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import type { KeyLookup, KeyStore } from "#vault/keys/key-store.ts";
import {
  type KeyLookups,
  KeyMissing,
  type RegistryCodec,
  UnknownEvent,
} from "#vault/sealing/event-codec.ts";

/** An event of the log with its opened content. */
export interface OpenedEvent {
  readonly stored: StoredEvent;
  /** Parts are null once their key is destroyed, and for a projection that opens nothing. */
  readonly event: RegistryEvent;
}

/** A batch of the log in order, written in one transaction. */
export interface Batch {
  readonly events: readonly OpenedEvent[];
  /** Keys of the sealed parts, and those that `keysOf` asked for. */
  readonly keys: KeyLookups;
  /** How far the log was read: at least the position of the last event. */
  readonly position: Position;
  readonly epoch: string;
}

/** Turns events into rows, in transactions of the processor's only writer, so loaded rows do not change in between. */
export interface ProjectionWriter {
  /** Loads the rows that the batch needs, folds it in memory and writes in a few statements. */
  apply(client: pg.ClientBase, batch: Batch): Promise<void>;
  /** Removes the rows that an event of a parked stream erases; does nothing for other events. */
  erase(client: pg.ClientBase, event: StoredEvent, epoch: string): Promise<void>;
}

/** What one processor writes. */
export interface Projection extends ProjectionWriter {
  readonly name: ProcessorName;
  /** Events that it receives; all when undefined. */
  readonly filter: EventFilter | undefined;
  /** Whether it reads sealed parts. */
  readonly opens: boolean;
  /** Whether losing recent commits does no harm, because the log supplies the events again. */
  readonly repeatable: boolean;
  /** Subjects of additional keys, besides those of the event's parts, for sealed rows that it affects. */
  keysOf(event: StoredEvent): readonly string[];
  /** Whether its tables are empty, as before the first event. */
  isEmpty(client: pg.ClientBase): Promise<boolean>;
  /** Whether an earlier version of the software created its tables. Such tables are rebuilt automatically. */
  isOfEarlierVersion(sql: Pick<pg.ClientBase, "query">): Promise<boolean>;
  /** Returns why its tables cannot be resumed; undefined if they can. @throws {ProcessorStopped} `newer_version` */
  outdated(client: pg.ClientBase): Promise<string | undefined>;
  /** Schemas that a rebuild recreates, as `<schema>_next`. */
  readonly schemas: readonly string[];
  /** Leftovers of interrupted rebuilds outside the database; undefined when rebuilds write nothing there. */
  readonly outside?: OutsideLeftovers | undefined;
  /** Starts filling new tables beside the live ones; undefined if it cannot be rebuilt. */
  readonly rebuild: ((pool: pg.Pool) => Promise<ProjectionRebuild>) | undefined;
}

/** Finds and drops what an interrupted rebuild left outside the database. */
export interface OutsideLeftovers {
  find(sql: Pick<pg.ClientBase, "query">): Promise<readonly string[]>;
  drop(names: readonly string[]): Promise<void>;
}

/** New tables beside the live ones. Readers cannot see them. */
export interface ProjectionRebuild extends ProjectionWriter {
  /**
   * Creates indexes and statistics; writes are slower afterward. @param client in a transaction without a time
   * limit.
   */
  prepare(client: pg.ClientBase): Promise<void>;
  /** Replaces the live tables with the new ones, in the caller's transaction. */
  swap(client: pg.ClientBase): Promise<void>;
  /** Drops the previous tables once the swap is committed. */
  discardOld(): Promise<void>;
  abort(): Promise<void>;
}

/** What a batch's consumers need opened. */
export interface Opening {
  /** Whether any consumer of the event reads its sealed parts. If none does, its keys are not fetched. */
  opens(event: StoredEvent): boolean;
  /** See {@link Projection.keysOf}. */
  keysOf(event: StoredEvent): readonly string[];
}

/** Combines the needs of all these projections. */
export function openingOf(projections: readonly Projection[]): Opening {
  const openers = projections.filter(({ opens }) => opens);
  const openersOf = (event: StoredEvent) => openers.filter(({ filter }) => passes(filter, event));
  return {
    opens: (event) => openers.some(({ filter }) => passes(filter, event)),
    keysOf: (event) => openersOf(event).flatMap((projection) => projection.keysOf(event)),
  };
}

/** An event that could not be opened, and why. */
export interface UnopenedEvent {
  readonly stored: StoredEvent;
  readonly error: Error;
}

export interface OpenedBatch {
  readonly events: readonly (OpenedEvent | UnopenedEvent)[];
  readonly keys: KeyLookups;
}

export function isUnopened(event: OpenedEvent | UnopenedEvent): event is UnopenedEvent {
  return "error" in event;
}

/** Pretends that every key was destroyed, so that sealed parts read as null and no key is fetched. */
class ClosedKeys extends Map<string, { state: "destroyed"; at: string }> {
  override get(_subject: string): { state: "destroyed"; at: string } {
    return { state: "destroyed", at: "" };
  }
}
const CLOSED: KeyLookups = new ClosedKeys();

/**
 * Opens a batch of the log and fetches its keys in one round trip. An event that cannot be opened
 * is returned with its error. A missing key or an unknown type stops the opening instead.
 * @param keys keys of earlier batches, which are not fetched again. Those of this batch are added.
 * @throws {OpeningStopped}
 * @throws {KeyStoreUnavailable}
 * @throws {WrongMasterKey}
 * @throws {KeyBroken}
 */
export async function openEvents(
  stored: readonly StoredEvent[],
  { opens, keysOf }: Opening,
  { codec, keys: store }: { readonly codec: RegistryCodec; readonly keys: KeyStore },
  keys = new Map<string, KeyLookup>(),
): Promise<OpenedBatch> {
  const opened = stored.filter(opens);
  const demanded = new Map(opened.map((event) => [event, keysOf(event)]));
  const subjects = new Set([...codec.subjectsOf(opened), ...[...demanded.values()].flat()]);
  const unknown = [...subjects].filter((subject) => !keys.has(subject));
  if (unknown.length > 0)
    for (const [subject, lookup] of await store.get(unknown)) keys.set(subject, lookup);
  const events = stored.map((event, index): OpenedEvent | UnopenedEvent => {
    try {
      const subjects = demanded.get(event);
      if (!subjects) return { stored: event, event: codec.openEvent(event, CLOSED) };
      for (const subject of subjects) demand(keys, subject);
      return { stored: event, event: codec.openEvent(event, keys) };
    } catch (error) {
      if (error instanceof KeyMissing || error instanceof UnknownEvent)
        throw new OpeningStopped(error, index);
      return { stored: event, error: error as Error };
    }
  });
  return { events, keys };
}

/** The event at `index` needs a missing key or a newer version. The events before it can be applied. */
export class OpeningStopped extends Error {
  override readonly name = "OpeningStopped";
  override readonly cause: KeyMissing | UnknownEvent;
  readonly index: number;
  constructor(cause: KeyMissing | UnknownEvent, index: number) {
    super(cause.message);
    this.cause = cause;
    this.index = index;
  }
}

function demand(keys: KeyLookups, subject: string): void {
  const { state } = keys.get(subject) ?? { state: "missing" };
  if (state === "missing") throw new KeyMissing(subject);
}
