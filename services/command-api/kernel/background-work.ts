import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "#contracts/domain-error.ts";
import { messages } from "#http/errors.ts";

/** Commands that wait at most; each holds a request's few fields. */
const MOST = 500;

/** Milliseconds that a command waits at most. */
const LONGEST_MS = 3000;

/**
 * Runs commands after their requests were answered, so that neither the answer nor its time tells
 * what they did. Each waits a random while, so that the next request is not slower either. Work
 * that a process had not begun when it died is lost: only use it for what may be requested again.
 */
export class BackgroundWork {
  readonly #onError: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();
  readonly #finishing = new AbortController();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** @throws {DomainError} `unavailable`: too many wait already. */
  run(work: () => Promise<unknown>): void {
    if (this.#running.size >= MOST) throw new DomainError("unavailable", messages.unavailable);
    const running = this.#later(work).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Runs what waits at once, and resolves when all of it is done. */
  async finish(): Promise<void> {
    this.#finishing.abort();
    await this.settled();
  }

  /** Resolves when what was given so far is done. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #later(work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#finishing;
    await delay(Math.random() * LONGEST_MS, undefined, { signal }).catch(() => undefined);
    await work().catch(this.#onError);
  }
}
