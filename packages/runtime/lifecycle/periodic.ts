export interface PeriodicOptions {
  /** Milliseconds between two starts. Work that takes longer is never done twice at once. */
  readonly everyMs: number;
  /** Is told of each failure. @param isFirst whether the time before went well. */
  readonly onError?: ((error: unknown, isFirst: boolean) => void) | undefined;
}

/** Work that a process repeats until it stops. It does not keep the process alive. */
export class Periodic {
  readonly #work: (signal: AbortSignal) => Promise<unknown>;
  readonly #options: PeriodicOptions;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isFailing = false;

  /** @param work gets the signal that it should end. */
  constructor(work: (signal: AbortSignal) => Promise<unknown>, options: PeriodicOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Does it at once, and regularly from then on. */
  start(): void {
    void this.now();
    if (this.#ending.signal.aborted) return;
    this.#timer ??= setInterval(() => void this.now(), this.#options.everyMs).unref();
  }

  /** Does it now, unless it is being done. Never rejects. */
  now(): Promise<void> {
    this.#running ??= this.#once().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Does it after what is being done, which may have missed something. Never rejects. */
  async afresh(): Promise<void> {
    await this.#running;
    await this.now();
  }

  /** Until the next start. */
  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends it for good. Resolves when what is being done is over. */
  async stop(): Promise<void> {
    this.pause();
    this.#ending.abort();
    await this.#running;
  }

  async #once(): Promise<void> {
    const { signal } = this.#ending;
    if (signal.aborted) return;
    try {
      await this.#work(signal);
      this.#isFailing = false;
    } catch (error) {
      const isFirst = !this.#isFailing;
      this.#isFailing = true;
      if (!signal.aborted) this.#options.onError?.(error, isFirst);
    }
  }
}
