import type pg from "pg";
import type { RegistryEvent } from "#contracts/events/index.ts";
import type { EventFilter, Position, StoredEvent } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";

/** An event of the log and its opened content. */
export interface OpenedEvent {
  readonly stored: StoredEvent;
  /** Parts are null once their key is destroyed, and for a projection that opens nothing. */
  readonly event: RegistryEvent;
}

/** A batch of the log, in order, written in one transaction. */
export interface Batch {
  readonly events: readonly OpenedEvent[];
  /** Keys of the sealed parts, and those that `keysOf` asked for. */
  readonly keys: KeyLookups;
  /** How far the log was seen; at least the last event's position. */
  readonly position: Position;
  readonly epoch: string;
}

/**
 * Turns events into rows. Every method runs on a connection that is in a transaction, whose
 * processor it holds alone: rows that it loads do not change under it.
 */
export interface ProjectionWriter {
  /** Loads the rows that the batch needs, folds it in memory, writes in a few statements. */
  apply(client: pg.ClientBase, batch: Batch): Promise<void>;
  /**
   * Removes the rows that the event is to remove, however far its stream was applied: it is parked,
   * and what must be gone does not wait. Of any other event it does nothing.
   */
  erase(client: pg.ClientBase, event: StoredEvent, epoch: string): Promise<void>;
}

/** What a processor feeds. */
export interface Projection extends ProjectionWriter {
  readonly name: ProcessorName;
  /** Events that it gets; all when undefined. */
  readonly filter: EventFilter | undefined;
  /** Whether it reads sealed parts. */
  readonly opens: boolean;
  /** Whether a lost commit of the last moments costs nothing, since the log gives it again. */
  readonly repeatable: boolean;
  /** Keys beside those of the event's parts, for rows that the event makes it open. */
  keysOf(event: StoredEvent): readonly string[];
  /** Whether its tables hold nothing, as before the first event. */
  isEmpty(client: pg.ClientBase): Promise<boolean>;
  /** Whether an earlier version of the software made its tables: they are rebuilt unasked. */
  isOfEarlierVersion(sql: Pick<pg.ClientBase, "query">): Promise<boolean>;
  /**
   * Why its tables cannot resume; undefined when they can.
   * @throws {ProcessorStopped} `newer_version`
   */
  outdated(client: pg.ClientBase): Promise<string | undefined>;
  /** Schemas that a rebuild makes again, as `<schema>_next`. */
  readonly schemas: readonly string[];
  /** What rebuilds leave behind outside of the database; undefined where they write nothing there. */
  readonly outside?: OutsideLeftovers | undefined;
  /** Begins to fill new tables beside the live ones; undefined for what cannot be rebuilt. */
  readonly rebuild: ((pool: pg.Pool) => Promise<ProjectionRebuild>) | undefined;
}

/** Things that a rebuild which was interrupted left outside of the database. */
export interface OutsideLeftovers {
  find(sql: Pick<pg.ClientBase, "query">): Promise<readonly string[]>;
  drop(names: readonly string[]): Promise<void>;
}

/** New tables beside the live ones, unseen by readers. */
export interface ProjectionRebuild extends ProjectionWriter {
  /**
   * Creates the indexes and the planner's statistics. Writing continues afterwards, only slower.
   * @param client in a transaction, and without a limit of time.
   */
  prepare(client: pg.ClientBase): Promise<void>;
  /** Puts the new tables in the live ones' place, in the caller's transaction. */
  swap(client: pg.ClientBase): Promise<void>;
  /** Drops the former tables, after the swap is committed. */
  discardOld(): Promise<void>;
  /** Drops the new tables. */
  abort(): Promise<void>;
}
