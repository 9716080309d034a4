import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from "cockatiel";
import { SearchUnavailable } from "./errors.ts";
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
 */
export class GuardedSearch implements SearchReads {
  readonly #index: SearchReads;
  readonly #breaker: CircuitBreakerPolicy;

  constructor(
    index: SearchReads,
    { failures = 3, lookMs = 1_000, isAway, onChange }: GuardOptions,
  ) {
    this.#index = index;
    this.#breaker = circuitBreaker(handleWhen(isAway), {
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
    if (this.#breaker.state === CircuitState.Closed)
      return this.#breaker.execute(() => this.#index.search(query));
    // Only one look is under way at a time.
    if (this.#breaker.state === CircuitState.Open)
      void this.#breaker.execute(() => this.#index.state()).catch(() => undefined);
    throw new SearchUnavailable("the search engine did not answer a moment ago");
  }

  /** Always asks the engine. */
  state(): Promise<IndexState> {
    return this.#index.state();
  }
}
