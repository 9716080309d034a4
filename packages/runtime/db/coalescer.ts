import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "../lifecycle/lifecycle.ts";
import { DatabaseBusy } from "./pool.ts";

const LATE = "the batch was not done in time";

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly settle: PromiseWithResolvers<Result>;
}

export interface CoalescerOptions {
  /** Maximum items in a batch; 100 by default. */
  readonly most?: number;
  /** Milliseconds each batch waits for more calls, if latency does not matter. */
  readonly pauseMs?: number;
  /** Time limit of a batch in milliseconds; 10,000 by default. */
  readonly batchMs?: number;
  /** Maximum calls waiting for a batch; 2000 by default. */
  readonly mostWaiting?: number;
}

/** Batches calls that arrive while another batch is running. A call that finds none running starts immediately. */
export class Coalescer<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: Required<CoalescerOptions>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #pump: Promise<void> | undefined;

  /** @param run returns one result per item, in order. If it fails, all calls in the batch fail. */
  constructor(
    run: (items: readonly Item[]) => Promise<readonly Result[]>,
    options: CoalescerOptions = {},
  ) {
    this.#run = run;
    this.#options = { most: 100, pauseMs: 0, batchMs: 10_000, mostWaiting: 2_000, ...options };
  }

  /** @throws {DatabaseBusy} if too many calls are waiting, or the batch timed out and may still be running. */
  async add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#options.mostWaiting)
      throw new DatabaseBusy("too many calls wait for a batch");
    const settle = Promise.withResolvers<Result>();
    this.#waiting.push({ item, settle });
    this.#pump ??= this.#work();
    return settle.promise;
  }

  async drain(): Promise<void> {
    await this.#pump;
  }

  async #work(): Promise<void> {
    // Calls made in the same turn of the event loop share a batch.
    await Promise.resolve();
    const { most, pauseMs, batchMs } = this.#options;
    while (this.#waiting.length > 0) {
      if (pauseMs > 0) await delay(pauseMs);
      const batch = this.#waiting.splice(0, most);
      try {
        const work = this.#run(batch.map(({ item }) => item));
        const results = await withDeadline(work, batchMs, () => new DatabaseBusy(LATE));
        for (const [i, { settle }] of batch.entries()) settle.resolve(results[i] as Result);
      } catch (error) {
        for (const { settle } of batch) settle.reject(error);
      }
    }
    this.#pump = undefined;
  }
}
