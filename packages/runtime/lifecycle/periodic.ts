export interface PeriodicOptions {
  /** Milliseconds between two starts. Runs never overlap. */
  readonly everyMs: number;
  /** Called on each failure. @param isFirst whether the previous run succeeded. */
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

  /** @param work receives a signal that aborts on stop. */
  constructor(work: (signal: AbortSignal) => Promise<unknown>, options: PeriodicOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Runs the work now and then regularly. */
  start(): void {
    void this.now();
    if (this.#ending.signal.aborted) return;
    this.#timer ??= setInterval(() => void this.now(), this.#options.everyMs).unref();
  }

  /** Runs the work now, or joins the run in progress. Never rejects. */
  now(): Promise<void> {
    this.#running ??= this.#once().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Runs the work after any run in progress, which may have missed something. Never rejects. */
  async afresh(): Promise<void> {
    await this.#running;
    await this.now();
  }

  /** Suspends the work until the next `start`. */
  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Stops for good. Resolves when the run in progress has ended. */
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
