import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from "cockatiel";
import { SearchTooSlow, SearchUnavailable } from "./errors.ts";
import type { IndexState, SearchIndex, SearchQuery, SearchResult } from "./port.ts";

export interface GuardOptions {
  /** Failures in a row after which searches are refused; 3 when absent. */
  readonly failures?: number;
  /** Milliseconds between two looks at an engine that was away; 1000 when absent. */
  readonly lookMs?: number;
  /** Whether an error says that the engine is away, rather than that it refuses this search. */
  isAway(error: unknown): boolean;
  /** Is told when searches are refused, and when they are served again. */
  onChange?(isServing: boolean): void;
}

/** The part of a search index that reads use. */
export type SearchReads = Pick<SearchIndex, "search" | "state">;

/**
 * Searches in an engine that may go away. After a few failures in a row every search is refused at
 * once, so that nobody waits for an engine that does not answer. Meanwhile searches only make it
 * look, without waiting, whether the engine answers; when it does, searches are served again.
 *
 * A search without an answer in time is no such failure, because one visitor's expensive searches must not take
 * the search from everybody. It makes it look as well, and looks that fail count.
 */
export class GuardedSearch implements SearchReads {
  readonly #index: SearchReads;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #failures: number;
  #isSuspected = false;

  constructor(
    index: SearchReads,
    { failures = 3, lookMs = 1_000, isAway, onChange }: GuardOptions,
  ) {
    this.#index = index;
    this.#failures = failures;
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
      try {
        return await this.#breaker.execute(() => this.#index.search(query));
      } catch (error) {
        if (error instanceof SearchTooSlow) void this.#suspect();
        throw error;
      }
    }
    // Only one look is under way at a time.
    if (this.#breaker.state === CircuitState.Open) void this.#look();
    throw new SearchUnavailable("the search engine did not answer a moment ago");
  }

  /** Looks until the engine answers or searches are refused. */
  async #suspect(): Promise<void> {
    if (this.#isSuspected) return;
    this.#isSuspected = true;
    for (let look = 0; look < this.#failures; look += 1) {
      if (this.#breaker.state !== CircuitState.Closed || (await this.#look())) break;
    }
    this.#isSuspected = false;
  }

  /** @returns whether the engine answers. Looks are cheap, so one that takes too long has failed. */
  #look(): Promise<boolean> {
    const asked = async () => {
      try {
        return await this.#index.state();
      } catch (error) {
        throw error instanceof SearchTooSlow ? new SearchUnavailable(error.message) : error;
      }
    };
    return this.#breaker.execute(asked).then(
      () => true,
      () => false,
    );
  }

  /** Always asks the engine. */
  state(): Promise<IndexState> {
    return this.#index.state();
  }
}
