import type pg from "pg";
import type { RegistryEvent } from "#contracts/events/index.ts";
import type { EventFilter, Position, StoredEvent } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";

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

/**
 * Turns events into rows. All methods run in a transaction whose connection alone writes for this
 * processor, so the rows that they load cannot change meanwhile.
 */
export interface ProjectionWriter {
  /** Loads the rows that the batch needs, folds it in memory and writes in a few statements. */
  apply(client: pg.ClientBase, batch: Batch): Promise<void>;
  /**
   * Removes the rows that the event erases, for a parked stream: erasures do not wait until its
   * earlier events can be applied. Does nothing for any other event.
   */
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
  /**
   * Subjects of further keys, besides those of the event's parts, for sealed rows that it affects.
   */
  keysOf(event: StoredEvent): readonly string[];
  /** Whether its tables are empty, as before the first event. */
  isEmpty(client: pg.ClientBase): Promise<boolean>;
  /**
   * Whether an earlier version of the software created its tables. Such tables are rebuilt
   * automatically.
   */
  isOfEarlierVersion(sql: Pick<pg.ClientBase, "query">): Promise<boolean>;
  /**
   * Why its tables cannot be resumed; undefined when they can.
   * @throws {ProcessorStopped} `newer_version`
   */
  outdated(client: pg.ClientBase): Promise<string | undefined>;
  /** Schemas that a rebuild creates again, as `<schema>_next`. */
  readonly schemas: readonly string[];
  /**
   * Leftovers of interrupted rebuilds outside the database; undefined when rebuilds write nothing
   * there.
   */
  readonly outside?: OutsideLeftovers | undefined;
  /** Starts to fill new tables beside the live ones; undefined when it cannot be rebuilt. */
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
   * Creates the indexes and the planner's statistics. Rows can still be written afterwards, but
   * slower.
   * @param client in a transaction without a time limit.
   */
  prepare(client: pg.ClientBase): Promise<void>;
  /** Replaces the live tables with the new ones, in the caller's transaction. */
  swap(client: pg.ClientBase): Promise<void>;
  /** Drops the former tables after the swap is committed. */
  discardOld(): Promise<void>;
  /** Drops the new tables. */
  abort(): Promise<void>;
}
