import { ExponentialBackoff, halfJitterGenerator, type IBackoff } from "cockatiel";

/** Bounds of the pauses between attempts to reach a store that is down, in milliseconds. */
export interface BackOffLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

export const DEFAULT_BACK_OFF: BackOffLimits = { minMs: 100, maxMs: 5_000 };

/** Exponential backoff without end, with jitter so that processes do not retry in step. */
export class BackOff {
  readonly #pauses: ExponentialBackoff<number>;
  #pause: IBackoff<unknown> | undefined;
  #attempts = 0;

  constructor({ minMs, maxMs }: BackOffLimits = DEFAULT_BACK_OFF) {
    this.#pauses = new ExponentialBackoff({
      generator: halfJitterGenerator,
      initialDelay: minMs,
      maxDelay: maxMs,
    });
  }

  /** Attempts since the last success. */
  get attempts(): number {
    return this.#attempts;
  }

  /** The next pause: between half and all of the current limit. */
  next(): number {
    this.#attempts += 1;
    this.#pause = this.#pause?.next(undefined) ?? this.#pauses.next();
    return this.#pause.duration;
  }

  reset(): void {
    this.#attempts = 0;
    this.#pause = undefined;
  }
}

/**
 * Shares one call of `work` among callers, and its result until `keptMs` after its start, but no failure. `clear`
 * drops the result, and returns 1 if there was one, else 0.
 */
export function shareResult<T>(
  work: () => Promise<T>,
  keptMs: number,
  now: () => number = () => performance.now(),
): { (): Promise<T>; clear(): 0 | 1 } {
  let shared:
    | { readonly began: number; readonly result: Promise<T>; isRunning: boolean }
    | undefined;
  const valid = () =>
    shared && (shared.isRunning || now() - shared.began < keptMs) ? shared : undefined;
  const ask = () => {
    const current = valid();
    if (current) return current.result;
    const call = { began: now(), result: work(), isRunning: true };
    shared = call;
    call.result.then(
      () => {
        call.isRunning = false;
      },
      () => {
        if (shared === call) shared = undefined;
      },
    );
    return call.result;
  };
  const clear = () => {
    const cleared = valid() ? 1 : 0;
    shared = undefined;
    return cleared;
  };
  return Object.assign(ask, { clear });
}
