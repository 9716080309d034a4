import type { EventFilter, EventStore, Position, StoredEvent, SubscriptionBatch } from "../port.ts";

/** A subscriber that keeps what it receives, so that tests can wait for it. */
export class Follower {
  readonly events: StoredEvent[] = [];
  readonly batches: SubscriptionBatch[] = [];
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #position: Position;
  #failure: unknown;
  #changed = Promise.withResolvers<void>();

  /** @param onBatch delays the subscription until its promise resolves. */
  constructor(
    store: EventStore,
    from: Position,
    filter?: EventFilter,
    options: { batchSize?: number; onBatch?: (batch: SubscriptionBatch) => Promise<void> } = {},
  ) {
    this.#position = from;
    this.#done = this.#run(store, from, filter, options);
  }

  get position(): Position {
    return this.#position;
  }

  /** Waits until the subscription has seen the log up to `position`. */
  async reached(position: Position): Promise<void> {
    await this.until(() => this.#position >= position);
  }

  /** Waits until the condition holds; it is checked after every batch. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#failure) throw this.#failure;
      await this.#changed.promise;
    }
  }

  /** Ends the subscription and waits until it has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
    if (this.#failure) throw this.#failure;
  }

  async #run(
    store: EventStore,
    from: Position,
    filter: EventFilter | undefined,
    {
      batchSize,
      onBatch,
    }: { batchSize?: number; onBatch?: (b: SubscriptionBatch) => Promise<void> },
  ): Promise<void> {
    const { signal } = this.#stop;
    const options = batchSize === undefined ? { signal } : { signal, batchSize };
    try {
      for await (const batch of store.subscribeAll(from, filter, options)) {
        this.batches.push(batch);
        this.events.push(...batch.events);
        this.#position = batch.position;
        this.#tell();
        await onBatch?.(batch);
      }
      if (!signal.aborted) throw new Error("the subscription ended by itself");
    } catch (error) {
      this.#failure = error;
    }
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
