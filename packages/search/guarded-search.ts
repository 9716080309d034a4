import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from "cockatiel";
import {
  type IndexState,
  type SearchIndex,
  type SearchQuery,
  type SearchResult,
  SearchTooSlow,
  SearchUnavailable,
} from "./port.ts";

interface GuardOptions {
  /** Failures in a row after which searches are refused; 3 when absent. */
  readonly failures?: number;
  /** Milliseconds between two looks at an engine that was down; 1000 when absent. */
  readonly lookMs?: number;
  /** Milliseconds after which a search is slow enough to look; 2000 when absent. */
  readonly slowMs?: number;
  /** Whether an error says that the engine is down, rather than that it refuses this search. */
  isAway(error: unknown): boolean;
  /** Is told when searches are refused, and when they are served again. */
  onChange?(isServing: boolean): void;
}

/** The part of a search index that reads use. */
export type SearchReads = Pick<SearchIndex, "search" | "state">;

/**
 * Searches in an engine that may go away. After a few failures in a row every search is refused at
 * once, so that no one waits for an engine that does not answer. Meanwhile searches only make it
 * look, without waiting, whether the engine answers; when it does, searches are served again.
 *
 * A search without an answer in time is no such failure, because one visitor's expensive searches must not take
 * the search from everyone. A slow one makes it look, and searches are refused when that fails as well.
 */
export class GuardedSearch implements SearchReads {
  readonly #index: SearchReads;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #failures: number;
  readonly #slowMs: number;
  #isSuspected = false;

  constructor(
    index: SearchReads,
    { failures = 3, lookMs = 1_000, slowMs = 2_000, isAway, onChange }: GuardOptions,
  ) {
    this.#index = index;
    this.#failures = failures;
    this.#slowMs = slowMs;
    const counts = (error: unknown) => isAway(error) && !(error instanceof SearchTooSlow);
    this.#breaker = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: lookMs,
      breaker: new ConsecutiveBreaker(failures),
    });
    this.#breaker.onReset(() => onChange?.(true));
    // Each look that fails breaks it again.
    let isServing = true;
    this.#breaker.onStateChange((state) => {
      if (state === CircuitState.Closed) isServing = true;
      if (state !== CircuitState.Open || !isServing) return;
      isServing = false;
      onChange?.(false);
    });
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    if (this.#breaker.state === CircuitState.Closed) {
      const slow = setTimeout(() => void this.#suspect(), this.#slowMs);
      try {
        return await this.#breaker.execute(() => this.#index.search(query));
      } finally {
        clearTimeout(slow);
      }
    }
    // Only one look is under way at a time.
    if (this.#breaker.state === CircuitState.Open) void this.#counted(() => this.#look());
    throw new SearchUnavailable("the search engine did not answer a moment ago");
  }

  /** Looks whether the engine answers, and refuses searches when it does not. */
  async #suspect(): Promise<void> {
    if (this.#isSuspected || this.#breaker.state !== CircuitState.Closed) return;
    this.#isSuspected = true;
    const failure = await this.#look().then(
      () => undefined,
      (error: unknown) => error,
    );
    // With the search that is slow this is reason enough to refuse others.
    if (failure !== undefined)
      for (let n = 0; n < this.#failures; n += 1)
        await this.#counted(() => Promise.reject(failure));
    this.#isSuspected = false;
  }

  /** Looks are cheap, so one that takes too long has failed. */
  async #look(): Promise<void> {
    try {
      await this.#index.state();
    } catch (error) {
      throw error instanceof SearchTooSlow ? new SearchUnavailable(error.message) : error;
    }
  }

  /** Lets the breaker know how something went. */
  #counted(done: () => Promise<void>): Promise<void> {
    return this.#breaker.execute(done).catch(() => undefined);
  }

  /** Always asks the engine. */
  state(): Promise<IndexState> {
    return this.#index.state();
  }
}
