import { RateLimited } from "#http/limits.ts";

/** Exports that one process sends at a time. */
const MOST = 3;
/** After which somebody may ask again. */
const AGAIN_MS = 5000;

/** The exports that this process sends now: one for each account, and few in all. */
export class RunningExports {
  readonly #accounts = new Set<string>();

  /**
   * @returns what ends it; called more than once it does nothing.
   * @throws {RateLimited} while there is another one.
   */
  begin(accountId: string): () => void {
    if (this.#accounts.has(accountId))
      throw new RateLimited(AGAIN_MS, "Another export of yours is running. Cancel it, or wait.");
    if (this.#accounts.size >= MOST)
      throw new RateLimited(AGAIN_MS, "Others are exporting right now. Please try again soon.");
    this.#accounts.add(accountId);
    let isOver = false;
    return () => {
      if (!isOver) this.#accounts.delete(accountId);
      isOver = true;
    };
  }
}
