/** At most `max` calls in a window of `windowMs` that starts with the first call. */
export interface Window {
  readonly max: number;
  readonly windowMs: number;
}

/** After `after` free calls, one more only `everyMs` after the last one. Forgotten after `resetMs`. */
export interface Pace {
  readonly after: number;
  readonly everyMs: number;
  readonly resetMs: number;
}

/** Fallback while the shared counters are unavailable: `memory` counts in this process, `open` allows everything. */
export type WhenUnavailable = "memory" | "open";

/** A rule and its name. Counts under different names are separate. */
export type Named<T> = T & {
  /** Lower-case words separated by `:` or `_`, the same in every process. */
  readonly name: string;
  readonly whenUnavailable: WhenUnavailable;
};

/** Port: counts a call by key if it may proceed. @returns milliseconds to wait, 0 if it may. */
export type KeepPace = (pace: Pace, key: string) => Promise<number>;
