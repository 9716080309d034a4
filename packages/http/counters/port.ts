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

/**
 * What holds while shared counters are out of reach: `memory` counts in this process alone, `open`
 * lets everything through.
 */
export type WhenAway = "memory" | "open";

/** A rule with its own name: counts under different names are separate. */
export type Named<T> = T & {
  /** Lower-case words with `:` or `_` between, the same in every process. */
  readonly name: string;
  readonly whenAway: WhenAway;
};

/**
 * Port: counts a call of a key when it may go on. What counts no more is forgotten by itself.
 * @returns milliseconds to wait, 0 when it may go on.
 */
export type KeepPace = (pace: Pace, key: string) => Promise<number>;
