import { DomainError } from "#contracts/domain-error.ts";

/** Streams that one process keeps open: of one account, and in all. */
export const STREAM_BOUNDS = { ofAccount: 10, inAll: 500 } as const;

/** Counts the streams of a process that are open. */
export class OpenStreams {
  readonly #bounds: { readonly ofAccount: number; readonly inAll: number };
  readonly #byAccount = new Map<string, number>();
  #all = 0;

  constructor(bounds: { readonly ofAccount: number; readonly inAll: number } = STREAM_BOUNDS) {
    this.#bounds = bounds;
  }

  get count(): number {
    return this.#all;
  }

  /**
   * Counts another stream of the account.
   * @returns what to call once when it is closed.
   * @throws {DomainError} `too_many_streams` for the account, `unavailable` for the process.
   */
  open(accountId: string): () => void {
    const own = this.#byAccount.get(accountId) ?? 0;
    if (own >= this.#bounds.ofAccount)
      throw new DomainError(
        "too_many_streams",
        `Your account is already open in ${own} windows. Close one of them.`,
      );
    if (this.#all >= this.#bounds.inAll)
      throw new DomainError(
        "unavailable",
        "Too many windows are open right now. Please try again in a moment.",
      );
    this.#byAccount.set(accountId, own + 1);
    this.#all += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#byAccount.get(accountId) ?? 1) - 1;
      if (left > 0) this.#byAccount.set(accountId, left);
      else this.#byAccount.delete(accountId);
      this.#all -= 1;
    };
  }
}
