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
  /** Consecutive failures after which searches are rejected; 3 if absent. */
  readonly failures?: number;
  /** Milliseconds between two probes of an engine that was down; 1000 if absent. */
  readonly lookMs?: number;
  /** Milliseconds after which a slow search triggers a probe; 2000 if absent. */
  readonly slowMs?: number;
  /** Whether an error means that the engine is down, rather than that it rejects this search. */
  isAway(error: unknown): boolean;
  /** Called when searches start to be rejected, and when they are served again. */
  onChange?(isServing: boolean): void;
}

/** The part of a search index that reads use. */
export type SearchReads = Pick<SearchIndex, "search" | "state">;

/**
 * A circuit breaker for a search engine that may be unavailable. After a few consecutive failures every search is
 * rejected immediately, so that no one waits for an engine that does not respond. From then on searches only
 * trigger a probe, without waiting for it; once the engine responds, searches are served again.
 *
 * A search timeout does not count as a failure, because one visitor's expensive searches must not take the search
 * away from everyone. A slow search triggers a probe, and searches are rejected if that fails as well.
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
    // Every failed probe opens the breaker again.
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
    // Only one probe is in flight at a time.
    if (this.#breaker.state === CircuitState.Open) void this.#counted(() => this.#look());
    throw new SearchUnavailable("the search engine is unavailable");
  }

  /** Probes the engine, and rejects searches if it does not respond. */
  async #suspect(): Promise<void> {
    if (this.#isSuspected || this.#breaker.state !== CircuitState.Closed) return;
    this.#isSuspected = true;
    const failure = await this.#look().then(
      () => undefined,
      (error: unknown) => error,
    );
    // Together with the slow search, this is reason enough to reject others.
    if (failure !== undefined)
      for (let n = 0; n < this.#failures; n += 1)
        await this.#counted(() => Promise.reject(failure));
    this.#isSuspected = false;
  }

  /** Probes are cheap, so a timeout counts as a failure. */
  async #look(): Promise<void> {
    try {
      await this.#index.state();
    } catch (error) {
      throw error instanceof SearchTooSlow ? new SearchUnavailable(error.message) : error;
    }
  }

  /** Reports an outcome to the breaker. */
  #counted(done: () => Promise<void>): Promise<void> {
    return this.#breaker.execute(done).catch(() => undefined);
  }

  /** Always queries the engine. */
  state(): Promise<IndexState> {
    return this.#index.state();
  }
}
