import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "#contracts/domain-error.ts";
import { messages } from "#http/errors.ts";

/** Maximum number of waiting commands. Each holds only the few fields of a request. */
const MAX = 500;

/** Maximum random delay of a command, in milliseconds. */
const LONGEST_MS = 3000;

/**
 * Runs commands after their requests were answered, so that neither the response nor its timing reveals what they
 * did. Each is delayed randomly, so that the next request is not slower either. Pending work is lost if the process
 * crashes, so only use it for what can be requested again.
 */
export class BackgroundWork {
  readonly #onError: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();
  #hurry = new AbortController();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** @throws {DomainError} `unavailable` if too many are waiting. */
  run(work: () => Promise<unknown>): void {
    if (this.#running.size >= MAX) throw new DomainError("unavailable", messages.unavailable);
    const running = this.#later(work).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Runs all waiting work immediately, and resolves when it is done. */
  async finish(): Promise<void> {
    this.#hurry.abort();
    this.#hurry = new AbortController();
    await Promise.all(this.#running);
  }

  async #later(work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#hurry;
    await delay(Math.random() * LONGEST_MS, undefined, { signal }).catch(() => undefined);
    await work().catch(this.#onError);
  }
}
