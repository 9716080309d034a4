import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type pg from "pg";
import { X_MIN_POSITION, X_POSITION, X_STALE } from "#contracts/http/position-headers.ts";
import type { LogPosition, SealedPositions } from "#http/position-headers.ts";
import {
  CHECKPOINT_CHANNEL,
  type CheckpointMessage,
  parseCheckpointMessage,
} from "#read-model/checkpoint-channel.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { createClient } from "#runtime/db/pool.ts";
import { BackOff } from "#runtime/lifecycle/back-off.ts";

/** How far a processor has advanced its tables. `epoch` is null before the first event. */
export interface Checkpoint {
  readonly processor: string;
  readonly epoch: string | null;
  readonly position: string;
}

interface CheckpointWatcherOptions {
  readonly databaseUrl: string;
  /** Reads all checkpoints, in case a notification was lost. */
  readonly readCheckpoints: () => Promise<readonly Checkpoint[]>;
  readonly onError: (error: unknown) => void;
  readonly onAdvance?: (processor: string) => void;
  /** Maximum milliseconds that a read waits; 2000 by default. */
  readonly timeoutMs?: number;
  /** Maximum concurrent waiting reads; 1000 by default. */
  readonly maxWaiters?: number;
  /** Milliseconds between polls of the checkpoints while a read waits; 250 by default. */
  readonly pollMs?: number;
}

interface Waiter {
  readonly pending: Set<string>;
  readonly target: LogPosition;
  readonly done: (reached: boolean) => void;
}

/** Watches the checkpoints once per process: with LISTEN, and by polling while a read waits. */
export class CheckpointWatcher {
  readonly #options: Required<CheckpointWatcherOptions>;
  readonly #seen = new Map<string, Checkpoint>();
  readonly #waiters = new Set<Waiter>();
  /** Per processor, the earliest position that a read timed out waiting for and that is still ahead. */
  readonly #missed = new Map<string, LogPosition>();
  #client: pg.Client | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  readonly #backOff = new BackOff();
  #reconnectTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: CheckpointWatcherOptions) {
    this.#options = {
      timeoutMs: 2000,
      maxWaiters: 1000,
      pollMs: 250,
      onAdvance: () => undefined,
      ...options,
    };
  }

  /** Starts listening. If the database is down, retries in the background. */
  async start(): Promise<void> {
    await this.#listen();
  }

  /** Releases every waiting read, and closes the connection. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#reconnectTimer);
    for (const waiter of [...this.#waiters]) waiter.done(false);
    await this.#client?.end().catch(() => undefined);
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /**
   * Waits until all of the processors have reached the position.
   * @returns false if it times out, if too many reads are waiting, or if the position is from another
   * epoch of the log. Returns false immediately if a read has already timed out on this position or an
   * earlier one that is still ahead: the processor lags by more than the timeout.
   */
  async reach(processors: readonly string[], target: LogPosition): Promise<boolean> {
    const pending = new Set(processors.filter((name) => !isAt(this.#seen.get(name), target)));
    if (pending.size === 0) return true;
    if (this.#stopped || this.#waiters.size >= this.#options.maxWaiters) return false;
    for (const name of pending) {
      if (isOtherEpoch(this.#seen.get(name), target)) return false;
      const missed = this.#missed.get(name);
      if (missed?.epoch === target.epoch && target.position >= missed.position) return false;
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#noteMissed(waiter);
        waiter.done(false);
      }, this.#options.timeoutMs);
      const waiter: Waiter = {
        pending,
        target,
        done: (reached) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      this.#waiters.add(waiter);
      this.#pollSoon();
    });
  }

  /** Records a checkpoint, from a notification or from the table. */
  note(checkpoint: Checkpoint): void {
    const { processor } = checkpoint;
    this.#seen.set(processor, checkpoint);
    const missed = this.#missed.get(processor);
    if (missed && (isAt(checkpoint, missed) || isOtherEpoch(checkpoint, missed)))
      this.#missed.delete(processor);
    for (const waiter of [...this.#waiters]) {
      if (!waiter.pending.has(processor)) continue;
      if (isOtherEpoch(checkpoint, waiter.target)) waiter.done(false);
      else if (isAt(checkpoint, waiter.target)) {
        waiter.pending.delete(processor);
        if (waiter.pending.size === 0) waiter.done(true);
      }
    }
  }

  #noteMissed({ pending, target }: Waiter): void {
    for (const name of pending) {
      const before = this.#missed.get(name);
      const earlier = before?.epoch === target.epoch && before.position <= target.position;
      if (!earlier) this.#missed.set(name, target);
    }
  }

  #pollSoon(): void {
    this.#pollTimer ??= setTimeout(async () => {
      await this.#poll();
      this.#pollTimer = undefined;
      if (this.#waiters.size > 0) this.#pollSoon();
    }, this.#options.pollMs);
  }

  async #poll(): Promise<void> {
    try {
      for (const checkpoint of await this.#options.readCheckpoints()) this.note(checkpoint);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #listen(): Promise<void> {
    if (this.#stopped) return;
    const client = createClient({
      url: this.#options.databaseUrl,
      name: "query-api checkpoints",
    });
    const again = (error: unknown) => {
      if (this.#client !== client) return;
      this.#client = undefined;
      client.end().catch(() => undefined);
      if (this.#stopped) return;
      this.#options.onError(error);
      this.#reconnectTimer = setTimeout(() => void this.#listen(), this.#backOff.next());
    };
    this.#client = client;
    client.on("error", again);
    client.on("end", () => again(new Error("the connection ended")));
    client.on("notification", ({ payload }) => {
      const message: CheckpointMessage | undefined = parseCheckpointMessage(payload);
      if (!message) return;
      this.note(message);
      this.#options.onAdvance(message.processor);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHECKPOINT_CHANNEL}`);
      this.#backOff.reset();
      // Catches up on what moved before LISTEN took effect.
      await this.#poll();
    } catch (error) {
      again(error);
    }
  }
}

function isAt(checkpoint: Checkpoint | undefined, target: LogPosition): boolean {
  return checkpoint?.epoch === target.epoch && checkpoint.position >= target.position;
}

function isOtherEpoch(checkpoint: Checkpoint | undefined, target: LogPosition): boolean {
  return checkpoint !== undefined && checkpoint.epoch !== null && checkpoint.epoch !== target.epoch;
}

interface FeedState {
  readonly checkpoints: readonly Checkpoint[];
  /** Whether events of any stream are parked, so that its rows are out of date. */
  readonly parked: boolean;
}

/**
 * Read your own writes: a read waits briefly, and returns its position (`X-Position`) and whether it is stale
 * (`X-Stale`).
 */
export interface ReadYourWrites {
  /**
   * Returns a route's `preHandler`.
   * @param streams `any` for a list over many streams, which is stale as soon as one of them is parked;
   * `one` if the handler passes its stream to {@link ReadYourWrites.markParked}.
   */
  waitFor(
    processors: readonly ProcessorName[],
    streams: "any" | "one",
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Marks the reply as stale if events of this stream are parked. For routes that wait. */
  markParked(
    reply: FastifyReply,
    processors: readonly ProcessorName[],
    stream: string,
  ): Promise<void>;
}

export function createReadYourWrites(
  db: ReadModelDatabase,
  watcher: Pick<CheckpointWatcher, "reach">,
  positions: SealedPositions,
): ReadYourWrites {
  /** The state of the processors when the request waited for them. */
  const feeds = new WeakMap<FastifyRequest, FeedState>();
  return {
    waitFor(processors, streams) {
      return async (request, reply) => {
        const wanted = request.headers[X_MIN_POSITION];
        const target = positions.open(wanted);
        // The position was sealed too long ago or by an earlier version, so it can't be compared.
        const isUnknown = wanted !== undefined && wanted !== "" && !target;
        let feed = await readFeed(db, processors);
        const behind = (position: LogPosition) =>
          processors.filter(
            (name) =>
              !isAt(
                feed.checkpoints.find((c) => c.processor === name),
                position,
              ),
          );
        if (target && behind(target).length > 0 && (await watcher.reach(behind(target), target)))
          feed = await readFeed(db, processors);
        const position = oldest(feed.checkpoints, processors);
        if (position) reply.header(X_POSITION, positions.seal(position));
        feeds.set(request, feed);
        const isParked = streams === "any" && feed.parked;
        if (isParked || isUnknown || (target && behind(target).length > 0))
          reply.header(X_STALE, "true");
      };
    },
    async markParked(reply, processors, stream) {
      // Usually nothing is parked at all, and the request already knows that.
      if (feeds.get(reply.request)?.parked === false) return;
      const found = await db
        .selectFrom("processor.parked_stream")
        .select("stream")
        .where("processor", "in", [...processors])
        .where("stream", "=", stream)
        .limit(1)
        .executeTakeFirst();
      if (found) reply.header(X_STALE, "true");
    },
  };
}

async function readFeed(
  db: ReadModelDatabase,
  processors: readonly ProcessorName[],
): Promise<FeedState> {
  const rows = await db
    .selectFrom("processor.checkpoint as c")
    .select(["c.processor", "c.epoch", "c.position"])
    .select(
      sql<boolean>`exists (
        select from processor.parked_stream p where p.processor = c.processor
      )`.as("parked"),
    )
    .where("c.processor", "in", [...processors])
    .execute();
  return { checkpoints: rows, parked: rows.some((row) => row.parked) };
}

/** The position that all of the processors have reached; undefined until each has a checkpoint. */
function oldest(
  checkpoints: readonly Checkpoint[],
  processors: readonly string[],
): LogPosition | undefined {
  const [first] = checkpoints;
  const epoch = first?.epoch;
  if (!epoch || checkpoints.length < processors.length) return undefined;
  if (checkpoints.some((checkpoint) => checkpoint.epoch !== epoch)) return undefined;
  const [position = ""] = checkpoints.map((c) => c.position).toSorted();
  return { epoch, position };
}

export function readCheckpoints(db: ReadModelDatabase): Promise<Checkpoint[]> {
  return db.selectFrom("processor.checkpoint").select(["processor", "epoch", "position"]).execute();
}
