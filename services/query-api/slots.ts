interface Limits {
  readonly ofAccount: number;
  readonly inAll: number;
  /** What is thrown at an account's limit. @param own how many it has open. */
  readonly accountError: (own: number) => Error;
  /** What is thrown at the limit of all accounts. */
  readonly totalError: () => Error;
}

/** Limits what this process has open at a time: per account, and in total. */
export class Slots {
  readonly #limits: Limits;
  readonly #byAccount = new Map<string, number>();
  #all = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Takes a slot for the account. @returns a function that frees it, idempotent. */
  take(accountId: string): () => void {
    const own = this.#byAccount.get(accountId) ?? 0;
    if (own >= this.#limits.ofAccount) throw this.#limits.accountError(own);
    if (this.#all >= this.#limits.inAll) throw this.#limits.totalError();
    this.#byAccount.set(accountId, own + 1);
    this.#all += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.#byAccount.get(accountId) ?? 1) - 1;
      if (left > 0) this.#byAccount.set(accountId, left);
      else this.#byAccount.delete(accountId);
      this.#all -= 1;
    };
  }
}
