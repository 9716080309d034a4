import type { KeyLookup, KeyRequest, KeyStore } from "#vault/keys/key-store.ts";

/** Creates and reads many keys at a time, then answers for each of them from memory. */
export class PreparedKeys implements Pick<KeyStore, "ensure" | "get"> {
  readonly #keys: KeyStore;
  readonly #known = new Map<string, KeyLookup>();

  constructor(keys: KeyStore) {
    this.#keys = keys;
  }

  /** One round trip for any number of subjects. */
  async prepare(subjects: Iterable<string>): Promise<void> {
    const wanted = [...new Set(subjects)].filter((subject) => !this.#known.has(subject));
    if (wanted.length === 0) return;
    const made = await this.#keys.ensure(wanted.map((subject) => ({ subject })));
    for (const [subject, lookup] of made) this.#known.set(subject, lookup);
  }

  ensure(requests: readonly KeyRequest[]): Promise<ReadonlyMap<string, KeyLookup>> {
    return this.get(requests.map(({ subject }) => subject));
  }

  async get(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyLookup>> {
    await this.prepare(subjects);
    return new Map(subjects.map((subject) => [subject, this.#known.get(subject) as KeyLookup]));
  }

  forget(subjects: Iterable<string>): void {
    for (const subject of subjects) this.#known.delete(subject);
  }
}
