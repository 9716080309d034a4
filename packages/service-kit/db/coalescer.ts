import { setTimeout as delay } from "node:timers/promises";

/** A call that waits for the batch it goes with. */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly settle: PromiseWithResolvers<Result>;
}

/**
 * Calls that come in while one is on its way go together in the next: one statement and one commit
 * for all of them. The first of a calm moment goes at once.
 */
export class Coalescer<Item, Result> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #most: number;
  readonly #pauseMs: number;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #pump: Promise<void> | undefined;

  /**
   * @param run answers for each item, in their order; when it fails, each of the calls does.
   * @param options.most items a batch at most; 100 when absent.
   * @param options.pauseMs how long each batch waits for more, where nobody is in a hurry.
   */
  constructor(
    run: (items: readonly Item[]) => Promise<readonly Result[]>,
    options: { readonly most?: number; readonly pauseMs?: number } = {},
  ) {
    this.#run = run;
    this.#most = options.most ?? 100;
    this.#pauseMs = options.pauseMs ?? 0;
  }

  add(item: Item): Promise<Result> {
    const settle = Promise.withResolvers<Result>();
    this.#waiting.push({ item, settle });
    this.#pump ??= this.#work();
    return settle.promise;
  }

  /** Resolves once nothing waits and nothing is on its way. */
  async drain(): Promise<void> {
    await this.#pump;
  }

  async #work(): Promise<void> {
    // Calls of the same turn of the event loop go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      if (this.#pauseMs > 0) await delay(this.#pauseMs);
      const batch = this.#waiting.splice(0, this.#most);
      try {
        const results = await this.#run(batch.map(({ item }) => item));
        for (const [i, { settle }] of batch.entries()) settle.resolve(results[i] as Result);
      } catch (error) {
        for (const { settle } of batch) settle.reject(error);
      }
    }
    this.#pump = undefined;
  }
}
