/** Bounds of the pauses between attempts to reach a store that is down, in milliseconds. */
export interface BackOffLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

export const DEFAULT_BACK_OFF: BackOffLimits = { minMs: 100, maxMs: 5_000 };

/**
 * Pauses that double from attempt to attempt, with jitter so that processes do not retry in step.
 */
export class BackOff {
  readonly #limits: BackOffLimits;
  readonly #random: () => number;
  #attempts = 0;

  constructor(limits: BackOffLimits = DEFAULT_BACK_OFF, random: () => number = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  /** Attempts since the last success. */
  get attempts(): number {
    return this.#attempts;
  }

  /** The next pause: between half and all of the doubled one. */
  next(): number {
    const { minMs, maxMs } = this.#limits;
    const ceiling = Math.min(maxMs, minMs * 2 ** Math.min(this.#attempts, 30));
    this.#attempts += 1;
    return ceiling * (0.5 + this.#random() / 2);
  }

  reset(): void {
    this.#attempts = 0;
  }
}
