import { type Position, START } from "./port.ts";

/** How far a log is known to reach, and who waits for it to grow. */
export class KnownHead {
  readonly #waiters = new Set<{ readonly after: Position; readonly resolve: () => void }>();
  #head: Position = START;

  /** The last known position; {@link START} while none is known. */
  get head(): Position {
    return this.#head;
  }

  /** Corrects the head: a read after `assumed` found `head`, perhaps in a log that a restore made shorter. */
  correct(assumed: Position, head: Position): void {
    if (head < assumed && this.#head === assumed) this.#head = head;
    else this.advance(head);
  }

  /** Records that the log reaches at least this far. */
  advance(position: Position): void {
    if (position <= this.#head) return;
    this.#head = position;
    for (const waiter of this.#waiters) if (position > waiter.after) waiter.resolve();
  }

  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Resolves when the log reaches beyond `after`, or when the signal aborts. Never rejects. */
  async waitBeyond(after: Position, signal: AbortSignal): Promise<void> {
    if (this.#head > after || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { after, resolve };
    const onAbort = () => resolve();
    this.#waiters.add(waiter);
    signal.addEventListener("abort", onAbort, { once: true });
    await promise;
    signal.removeEventListener("abort", onAbort);
    this.#waiters.delete(waiter);
  }
}
