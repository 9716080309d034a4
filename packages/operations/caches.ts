/** Something that keeps in memory what can be read or computed again. */
export interface ClearableCache {
  /** Empties it. @returns how many entries it held. */
  clear(): number;
}

/** What a service keeps in memory. Keys, sessions and counters are none of it: without them it would not be safe. */
export class Caches {
  readonly #all: ClearableCache[] = [];
  #newest: string | undefined;

  /** Adds one that lives as long as the service. @returns it. */
  add<T extends ClearableCache>(cache: T): T {
    this.#all.push(cache);
    return cache;
  }

  /** Empties all. @returns how many entries they held. */
  clear(): number {
    return this.#all.reduce((sum, cache) => sum + cache.clear(), 0);
  }

  /**
   * The newest request to empty the caches of all processes that this one knows of; undefined where
   * there is none from the last hour. web has no database: it empties its own when this changes.
   */
  get newest(): string | undefined {
    return this.#newest;
  }

  /** Notes the newest request. */
  know(request: string | undefined): void {
    this.#newest = request;
  }
}
