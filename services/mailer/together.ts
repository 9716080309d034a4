import { Coalescer } from "#runtime/db/coalescer.ts";

interface Work<Item, Result> {
  /**
   * Does the work for several items by the same statements. It waits for no row that something else has
   * locked, and leaves such an item out.
   * @returns a result for each item in their order; undefined for what must be done alone.
   */
  readonly all: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  /** Does the work for one item, and waits for what is locked. */
  readonly each: (item: Item) => Promise<Result>;
}

/** Most mails that one statement is about. */
const MOST = 50;

/**
 * Work on mails that are sent at the same time: one statement and one commit for all of them. What cannot be
 * done together is done alone, so that no mail fails or waits because of another one.
 */
export class Together<Item, Result> {
  readonly #each: (item: Item) => Promise<Result>;
  readonly #calls: Coalescer<Item, Result | undefined>;

  constructor({ all, each }: Work<Item, Result>) {
    this.#each = each;
    this.#calls = new Coalescer(all, { most: MOST });
  }

  async do(item: Item): Promise<Result> {
    const done = await this.#calls.add(item).catch(() => undefined);
    return done ?? this.#each(item);
  }
}
