/** At most `max` in a window of `windowMs` that starts with the first. */
export interface Window {
  readonly max: number;
  readonly windowMs: number;
}

/** Once `after` calls were made, one more only `everyMs` after the last; forgotten after `resetMs`. */
export interface Pace {
  readonly after: number;
  readonly everyMs: number;
  readonly resetMs: number;
}

/** The last `keep` items of a caller, forgotten `forMs` after the last of them came. */
export interface Memory {
  readonly keep: number;
  readonly forMs: number;
}

/**
 * What holds while shared counters are out of reach: `memory` counts in this process alone, `open`
 * lets everything through.
 */
export type WhenAway = "memory" | "open";

/** A rule under a name of its own: what is counted under one does not count under another. */
export type Named<T> = T & {
  /** Lower-case words with `:` or `_` between, the same in every process. */
  readonly name: string;
  readonly whenAway: WhenAway;
};

export interface Count {
  /** Calls in the present window, this one among them. */
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

/**
 * Port: the counters of requests, by rule and key (an address, an account). Whatever it holds is
 * forgotten by itself when it counts no more.
 */
export interface CounterStore {
  /** Counts a call. @throws {CountersAway} */
  hit(rule: Named<Window>, key: string): Promise<Count>;
  /**
   * Asks for a call, and counts it when it may go on.
   * @returns milliseconds to wait, 0 when it may go on.
   * @throws {CountersAway}
   */
  pace(rule: Named<Pace>, key: string): Promise<number>;
  /** Puts an item at the head of what is remembered under a key. @throws {CountersAway} */
  remember(rule: Named<Memory>, key: string, item: string): Promise<void>;
  /** Whether an item is remembered under a key. @throws {CountersAway} */
  remembers(rule: Named<Memory>, key: string, item: string): Promise<boolean>;
  state(): CounterState;
  close(): Promise<void>;
}

export interface CounterState {
  /** Whether other processes count with this one. */
  readonly shared: boolean;
  readonly reachable: boolean;
  /** Calls that were let through or counted in memory, because the shared counters were away. */
  readonly fallbacks: number;
}

/** The counters cannot be reached, or did not answer in time. */
export class CountersAway extends Error {
  override readonly name = "CountersAway";
}
