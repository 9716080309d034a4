import type pg from "pg";
import type { Logger } from "pino";
import { pause } from "#event-store/follow-log.ts";
import type { EventStore, Position, SubscriptionBatch } from "#event-store/port.ts";
import { EPOCH_EVENTS, readEpoch } from "#event-store/store-log.ts";
import { BackOff, type BackOffLimits } from "#runtime/lifecycle/back-off.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { RegistryCodec } from "#vault/sealing/event-codec.ts";
import { Applier } from "./applier.ts";
import {
  type Checkpoint,
  checkpointProblem,
  createCheckpoint,
  logProblem,
  readCheckpoint,
  readOwned,
  remedyOf,
  restoredLog,
  type StoredCheckpoint,
  takeOwnership,
} from "./checkpoint.ts";
import { CheckpointReplaced, ProcessorStopped, toStop } from "./errors.ts";
import type { LayoutUpgrade } from "./layout-upgrade.ts";
import { acquireLease, LEASE_TIMES, type Lease, type LeaseTimes } from "./lease.ts";
import {
  type OpenedBatch,
  OpeningStopped,
  openEvents,
  openingOf,
  type Projection,
} from "./projection.ts";
import { retryUnknownEvents } from "./retry-parked.ts";

export interface ProcessorDeps {
  readonly projection: Projection;
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly codec: RegistryCodec;
  /** Database of the read models: its URL for the dedicated connection, and a pool for the rest. */
  readonly url: string;
  readonly pool: pg.Pool;
  /** One connection to the same database, for the heartbeats of all leases. */
  readonly beats: pg.Pool;
  /** Shared by all processors of the process. */
  readonly upgrade: Pick<LayoutUpgrade, "run" | "progress">;
  readonly log: Pick<Logger, "debug" | "info" | "warn" | "error">;
}

export interface ProcessorSettings {
  /** Maximum number of events in a transaction; 500 when absent. */
  readonly batchSize?: number;
  /** Minimum milliseconds between reads of the log once it has caught up; 10 when absent. */
  readonly paceMs?: number;
  /** Delays before a stopped processor tries again. */
  readonly restart?: BackOffLimits;
  readonly lease?: Partial<LeaseTimes>;
}

/**
 * `rebuilding`: its tables are from an earlier version, and new ones are being filled. `standby`:
 * another process owns it. `stopped`: the checkpoint stays where it is, and the processor regularly
 * checks whether it can continue. It stays stopped, with the reason, until it has written again.
 */
export type ProcessorState =
  | "starting"
  | "rebuilding"
  | "standby"
  | "catching_up"
  | "live"
  | "stopped"
  | "ended";

export interface ProcessorHealth {
  readonly processor: Projection["name"];
  readonly state: ProcessorState;
  /** Null until the checkpoint has been read. */
  readonly position: Position | null;
  readonly epoch: string | null;
  /** When the checkpoint was last moved or read, in milliseconds since 1970. */
  readonly movedAtMs: number | null;
  /** Number of events written since the process started. */
  readonly applied: number;
  /** Number of events read for new tables; undefined unless this process rebuilds them. */
  readonly rebuilt: number | undefined;
  /** Number of parked streams, as of the last transaction. */
  readonly parkedStreams: number;
  readonly stop: ProcessorStopped | undefined;
}

const SETTINGS = {
  batchSize: 500,
  // A transaction costs more than its events, so events from a busy moment share one.
  paceMs: 10,
  restart: { minMs: 200, maxMs: 5_000 },
};

/** A batch of the log after reading and opening. */
interface Pulled {
  readonly batch: SubscriptionBatch;
  readonly opened: OpenedBatch;
  /** Why the event after those in `opened` cannot be opened. */
  readonly stop: OpeningStopped["cause"] | undefined;
}

/** Brings one projection's tables up to date and keeps them current, while it holds the lease. */
export class Processor {
  readonly #deps: ProcessorDeps;
  readonly #settings: Required<Omit<ProcessorSettings, "lease">>;
  readonly #times: LeaseTimes;
  readonly #backOff: BackOff;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #state: ProcessorState = "starting";
  #stop: ProcessorStopped | undefined;
  #applier: Applier | undefined;
  #movedAtMs: number | null = null;
  #appliedBefore = 0;
  #interrupt: ((reason: Error) => void) | undefined;

  constructor(deps: ProcessorDeps, settings: ProcessorSettings = {}) {
    this.#deps = deps;
    this.#settings = { ...SETTINGS, ...settings };
    this.#times = { ...LEASE_TIMES, ...settings.lease };
    this.#backOff = new BackOff(this.#settings.restart);
  }

  get name(): Projection["name"] {
    return this.#deps.projection.name;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Finishes the current batch and releases the lease. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#state = "ended";
  }

  health(): ProcessorHealth {
    return {
      processor: this.name,
      state: this.#state,
      position: this.#applier?.checkpoint.position ?? null,
      epoch: this.#applier?.checkpoint.epoch ?? null,
      movedAtMs: this.#movedAtMs,
      applied: this.#appliedBefore + (this.#applier?.applied ?? 0),
      rebuilt: this.#state === "rebuilding" ? this.#deps.upgrade.progress?.events : undefined,
      parkedStreams: this.#applier?.parkedStreams ?? 0,
      stop: this.#stop,
    };
  }

  /**
   * Compares its checkpoint with the log and with the stored checkpoint, and stops the processor if
   * they do not match. Called at intervals, because a log that was set back sends no event.
   * @param head a recent head of the log, which may have grown since.
   */
  async inspect(head: Position, epoch: string | undefined): Promise<void> {
    const applier = this.#applier;
    if (!applier || !this.#interrupt || applier.writing) return;
    const held = applier.checkpoint;
    // Only a head read after the checkpoint can really be behind it.
    const present = held.position > head ? await this.#deps.store.head() : head;
    let found: StoredCheckpoint;
    try {
      found = await readOwned(this.#deps.pool, this.name);
    } catch (error) {
      if (!(error instanceof ProcessorStopped)) return;
      found = error;
    }
    // A transaction ran in the meantime, so what was read is stale.
    if (applier.writing || applier.checkpoint !== held || this.#applier !== applier) return;
    const reason =
      checkpointProblem(held, applier.token, found) ?? logProblem(held, { head: present, epoch });
    if (reason) this.#interrupt?.(reason);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const before = this.health().applied;
      try {
        await this.#upgrade();
        await this.#own();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof CheckpointReplaced) {
          this.#deps.log.info({ processor: this.name }, "the processor switched to rebuilt tables");
          continue;
        }
        if (this.health().applied > before) this.#backOff.reset();
        this.#stopFor(toStop(error));
        await this.#pause();
      }
    }
  }

  /** Rebuilds tables of an earlier version, even while another process still writes them. */
  async #upgrade(): Promise<void> {
    const { projection, pool, upgrade } = this.#deps;
    if (!(await projection.isOfEarlierVersion(pool))) return;
    this.#state = "rebuilding";
    await upgrade.run();
    this.#state = "starting";
    this.#stop = undefined;
  }

  /** Waits for the lease, and follows the log while it lasts. */
  async #own(): Promise<void> {
    const { projection, url, beats, log } = this.#deps;
    const lease = await acquireLease({
      processor: projection.name,
      url,
      beats,
      relaxed: projection.repeatable,
      times: this.#times,
      signal: this.#stopping.signal,
      onStandby: () => {
        this.#keepApplier(undefined);
        this.#state = "standby";
        this.#stop = undefined;
        log.info({ processor: projection.name }, "another process owns the processor");
      },
    });
    try {
      const from = await this.#prepare(lease);
      const applier = new Applier(this.#deps, lease, from, this.#stopping.signal);
      this.#keepApplier(applier);
      this.#movedAtMs = Date.now();
      if (!this.#stop) this.#resume(applier);
      await this.#follow(lease, applier);
    } finally {
      await lease.release();
    }
  }

  #resume(applier: Applier): void {
    this.#stop = undefined;
    this.#state = "catching_up";
    const { processor, position } = applier.checkpoint;
    this.#deps.log.info({ processor, position }, "the processor continues");
  }

  #keepApplier(applier: Applier | undefined): void {
    this.#appliedBefore += this.#applier?.applied ?? 0;
    this.#applier = applier;
  }

  /** @throws {ProcessorStopped} when the checkpoint cannot be resumed. */
  async #prepare(lease: Lease): Promise<{ checkpoint: Checkpoint; epoch: string }> {
    const { projection, store } = this.#deps;
    const { name } = projection;
    const outdated = await projection.outdated(lease.client);
    if (outdated) throw new ProcessorStopped("layout", `${outdated}: ${remedyOf(name)}`);
    const epoch = await readEpoch(store);
    if (!epoch) throw new ProcessorStopped("log_not_started", "the event log was not started yet");
    let checkpoint = await readCheckpoint(lease.client, name);
    if (!checkpoint) {
      if (!(await projection.isEmpty(lease.client)))
        throw new ProcessorStopped(
          "checkpoint_missing",
          `${name} has rows and no checkpoint: ${remedyOf(name)}`,
        );
      await createCheckpoint(lease.client, name);
      checkpoint = (await readCheckpoint(lease.client, name)) as Checkpoint;
    }
    const problem = logProblem(checkpoint, { head: await store.head(), epoch });
    if (problem) throw problem;
    await takeOwnership(lease.client, name, lease.token);
    if (checkpoint.epoch !== null) await retryUnknownEvents(this.#deps, projection);
    return { checkpoint, epoch };
  }

  async #follow(lease: Lease, applier: Applier): Promise<void> {
    const { store, projection } = this.#deps;
    const interruption = new AbortController();
    const ending = new AbortController();
    this.#interrupt = (reason) => interruption.abort(reason);
    const signals = [this.#stopping, interruption, ending].map((controller) => controller.signal);
    const signal = AbortSignal.any([...signals, lease.lost]);
    const { batchSize, paceMs } = this.#settings;
    const batches = store
      .subscribeAll(applier.checkpoint.position, projection.filter, { signal, batchSize, paceMs })
      [Symbol.asyncIterator]();
    // Reads and opens the next batch while this one is written.
    let next = this.#pull(batches);
    try {
      for (;;) {
        const pulled = await next;
        if (interruption.signal.aborted) throw interruption.signal.reason;
        if (this.#stopping.signal.aborted) return;
        if (!pulled) break;
        next = this.#pull(batches);
        next.catch(() => undefined);
        await this.#write(applier, pulled);
        // Until the first batch is written, the cause of the stop may still exist.
        if (this.#state === "stopped") this.#resume(applier);
        if (pulled.batch.caughtUp) this.#state = "live";
      }
      lease.assertHeld();
      throw new ProcessorStopped("event_store", "the subscription of the event log ended");
    } finally {
      this.#interrupt = undefined;
      ending.abort();
      await next.catch(() => undefined);
      await batches.return?.(undefined);
    }
  }

  async #pull(batches: AsyncIterator<SubscriptionBatch>): Promise<Pulled | undefined> {
    const { value: batch, done } = await batches.next();
    if (done) return undefined;
    const { projection } = this.#deps;
    const opening = openingOf([projection]);
    try {
      const opened = await openEvents(batch.events, opening, this.#deps);
      return { batch, opened, stop: undefined };
    } catch (error) {
      if (!(error instanceof OpeningStopped)) throw error;
      const before = batch.events.slice(0, error.index);
      const opened = await openEvents(before, opening, this.#deps);
      return { batch, opened, stop: error.cause };
    }
  }

  async #write(applier: Applier, { batch, opened, stop }: Pulled): Promise<void> {
    await this.#assertEpoch(applier, batch);
    const last = opened.events.at(-1)?.stored.position;
    const position = stop ? last : batch.position;
    if (position !== undefined && position > applier.checkpoint.position) {
      await applier.apply(opened, position);
      this.#movedAtMs = Date.now();
    }
    if (stop) throw stop;
  }

  /** Detects a log that was restored while it is followed: an event with the new epoch arrives. */
  async #assertEpoch({ epoch }: Applier, { events }: SubscriptionBatch): Promise<void> {
    if (!events.some(({ id, type }) => EPOCH_EVENTS.has(type) && id !== epoch)) return;
    if ((await readEpoch(this.#deps.store)) === epoch) return;
    throw restoredLog(this.name);
  }

  #stopFor(stop: ProcessorStopped): void {
    const known = this.#stop?.code === stop.code && this.#stop.message === stop.message;
    this.#state = "stopped";
    this.#stop = stop;
    if (known) return;
    const details = { processor: this.name, code: stop.code, err: stop };
    if (stop.code === "log_not_started")
      this.#deps.log.info(details, "the processor is waiting for the event log to be started");
    else this.#deps.log.error(details, "the processor stopped");
  }

  /** Waits before the next attempt. Only a rebuild repairs a checkpoint that someone else moved. */
  async #pause(): Promise<void> {
    const { signal } = this.#stopping;
    const generation = this.#applier?.checkpoint.generation;
    const ms = this.#backOff.next();
    for (;;) {
      await pause(ms, signal);
      if (this.#stop?.code !== "checkpoint_moved" || signal.aborted) return;
      const now = await readCheckpoint(this.#deps.pool, this.name).catch(() => undefined);
      if (now && now.generation !== generation) return;
    }
  }
}
