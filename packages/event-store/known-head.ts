import { type Position, START } from "./port.ts";

/** How far a log is known to go, and who waits for it to go further. */
export class KnownHead {
  readonly #waiters = new Set<{ readonly after: Position; readonly resolve: () => void }>();
  #head: Position = START;

  /** The last position that is known of; {@link START} before anything is. */
  get head(): Position {
    return this.#head;
  }

  /**
   * Takes note that somebody who read after `believed` was known found the log at `head`. When it
   * is shorter than believed (a restored backup, a foreign message), subscribers must stop waking
   * up for events that do not exist.
   */
  correct(believed: Position, head: Position): void {
    if (head < believed && this.#head === believed) this.#head = head;
    else this.advance(head);
  }

  /** Takes note that the log goes at least as far. */
  advance(position: Position): void {
    if (position <= this.#head) return;
    this.#head = position;
    for (const waiter of this.#waiters) if (position > waiter.after) waiter.resolve();
  }

  /** Whether anybody waits. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Resolves when the log goes beyond `after`, or when the signal aborts. Never rejects. */
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
