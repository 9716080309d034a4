import { handleWhen, IterableBackoff, retry } from "cockatiel";
import type pg from "pg";
import type { Logger } from "pino";
import type { Position, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { RegistryCodec } from "#vault/sealing/event-codec.ts";
import { advanceCheckpoint, announceCheckpoint, type Checkpoint } from "./checkpoint.ts";
import { causeOf, isEventAtFault, ProcessorStopped } from "./errors.ts";
import type { Lease } from "./lease.ts";
import { parkBehind, parkStream } from "./parked.ts";
import {
  isUnopened,
  type OpenedBatch,
  type OpenedEvent,
  openEvents,
  openingOf,
  type Projection,
  type ProjectionWriter,
  type UnopenedEvent,
} from "./projection.ts";

export interface ApplierDeps {
  readonly projection: Projection;
  readonly keys: KeyStore;
  readonly codec: RegistryCodec;
  readonly log: Pick<Logger, "error" | "debug">;
}

/** Delays before an event is retried. After the last attempt it is parked. */
const RETRY_MS = [50, 250];
const tries = retry(handleWhen(isEventAtFault), {
  maxAttempts: RETRY_MS.length,
  backoff: new IterableBackoff(RETRY_MS),
});

/**
 * Writes batches of the log while the lease lasts, each in one transaction with the checkpoint. An
 * event that cannot be applied does not hold up other streams: the batch is halved until only that
 * event is left. It is retried, then parked with its stream.
 */
export class Applier {
  readonly #deps: ApplierDeps;
  readonly #lease: Lease;
  readonly #epoch: string;
  readonly #stopping: AbortSignal;
  #checkpoint: Checkpoint;
  #parkedStreams = 0;
  #applied = 0;
  #writing = false;

  /** @param from with the log's epoch; the checkpoint's epoch is the same, or null. */
  constructor(
    deps: ApplierDeps,
    lease: Lease,
    from: { readonly checkpoint: Checkpoint; readonly epoch: string },
    stopping: AbortSignal,
  ) {
    this.#deps = deps;
    this.#lease = lease;
    this.#checkpoint = from.checkpoint;
    this.#epoch = from.epoch;
    this.#stopping = stopping;
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  get token(): string {
    return this.#lease.token;
  }

  get epoch(): string {
    return this.#epoch;
  }

  get parkedStreams(): number {
    return this.#parkedStreams;
  }

  get applied(): number {
    return this.#applied;
  }

  /** Whether a transaction is open, so that the stored checkpoint may be ahead of `checkpoint`. */
  get writing(): boolean {
    return this.#writing;
  }

  /** Applies or parks events and moves the checkpoint. @throws {ProcessorStopped} @throws {CheckpointReplaced} */
  async apply(opened: OpenedBatch, position: Position): Promise<void> {
    this.#writing = true;
    try {
      await this.#applyRange(opened, position);
      const { projection, log } = this.#deps;
      const { length } = opened.events;
      if (length > 0)
        log.debug({ processor: projection.name, events: length, position }, "applied");
    } finally {
      this.#writing = false;
    }
  }

  async #applyRange(opened: OpenedBatch, position: Position): Promise<void> {
    const { events, keys } = opened;
    try {
      await this.#applyWhole(opened, position);
    } catch (error) {
      this.#lease.assertHeld();
      if (!isEventAtFault(error)) throw error;
      const [event] = events;
      if (!event) throw error;
      if (events.length === 1) return this.#retryOrPark(event, position, error);
      const middle = events.length >> 1;
      const first = events.slice(0, middle);
      const until = (first.at(-1) as OpenedEvent).stored.position;
      await this.#applyRange({ keys, events: first }, until);
      await this.#applyRange({ keys, events: events.slice(middle) }, position);
    }
  }

  async #retryOrPark(
    event: OpenedEvent | UnopenedEvent,
    position: Position,
    firstError: unknown,
  ): Promise<void> {
    const { projection, log } = this.#deps;
    const { stored } = event;
    try {
      await tries.execute(async ({ attempt }) => {
        if (attempt === 0) throw firstError;
        this.#stopping.throwIfAborted();
        const again = await openEvents([stored], openingOf([projection]), this.#deps);
        await this.#applyWhole(again, position);
      });
    } catch (error) {
      this.#lease.assertHeld();
      if (!isEventAtFault(error)) throw error;
      await this.#transaction(position, 0, async (client) => {
        await parkStream(client, projection.name, stored, causeOf(error), RETRY_MS.length + 1);
        await eraseParked(projection, client, [stored], this.#epoch);
      });
      this.#parkedStreams += 1;
      const { stream, type: eventType } = stored;
      log.error(
        { processor: projection.name, stream, position: stored.position, eventType, err: error },
        "an event cannot be applied; its stream is parked",
      );
    }
  }

  async #applyWhole(opened: OpenedBatch, position: Position): Promise<void> {
    const { projection } = this.#deps;
    const { length } = opened.events;
    await this.#transaction(position, length, async (client, parked) => {
      const waiting: StoredEvent[] = [];
      const events: OpenedEvent[] = [];
      for (const event of opened.events) {
        if (parked.has(event.stored.stream)) waiting.push(event.stored);
        else if (isUnopened(event)) throw event.error;
        else events.push(event);
      }
      await parkBehind(client, projection.name, waiting);
      await eraseParked(projection, client, waiting, this.#epoch);
      const { keys } = opened;
      if (events.length > 0)
        await projection.apply(client, { events, keys, position, epoch: this.#epoch });
      this.#parkedStreams = parked.size;
    });
  }

  /** Moves the checkpoint and does the work in one transaction, then notifies waiting readers. */
  async #transaction(
    position: Position,
    events: number,
    work: (client: pg.ClientBase, parked: ReadonlySet<string>) => Promise<void>,
  ): Promise<void> {
    this.#lease.assertHeld();
    const { client, token } = this.#lease;
    const to = { position, epoch: this.#epoch };
    await client.query("begin");
    try {
      const moved = await advanceCheckpoint(client, this.#checkpoint, to, token);
      await work(client, moved.parked);
      await client.query("commit");
      this.#checkpoint = moved.checkpoint;
      this.#applied += events;
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
    await announceCheckpoint(client, this.#checkpoint);
  }
}

/** Removes the rows of deletions waiting on a parked stream. @throws {ProcessorStopped} `erase_failed` */
export async function eraseParked(
  tables: Pick<ProjectionWriter, "erase">,
  client: pg.ClientBase,
  events: readonly StoredEvent[],
  epoch: string,
): Promise<void> {
  for (const event of events) {
    try {
      await tables.erase(client, event, epoch);
    } catch (error) {
      if (!isEventAtFault(error)) throw error;
      throw new ProcessorStopped(
        "erase_failed",
        `rows of what was deleted cannot be removed: ${causeOf(error)}`,
        error,
      );
    }
  }
}
