/** One version of a key, as it was read from the store. */
export interface KeyVersion {
  readonly version: number;
  readonly key: Buffer;
  /** Milliseconds until it is used; zero or less once it is. */
  readonly usedInMs: number;
  /** Milliseconds until it expires; null while no other has replaced it. */
  readonly endsInMs: number | null;
}

interface Timed {
  readonly key: Buffer;
  readonly usedFrom: number;
  readonly endsAt: number;
}

/**
 * A key that can be replaced while the process runs. Its values follow the store and this process's
 * clock, so read them each time.
 */
export interface LiveKey {
  /** The key for making new things. */
  current(): Buffer;
  /**
   * Every key under which something still valid may have been made, oldest first: former ones, the
   * current one, and one that will be used soon.
   */
  all(): readonly Buffer[];
}

/** A live key made of the versions that were last read. */
export class VersionedKey implements LiveKey {
  readonly #name: string;
  #versions: readonly Timed[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** @param versions in their order. */
  set(versions: readonly KeyVersion[], now = Date.now()): void {
    this.#versions = versions.map(({ key, usedInMs, endsInMs }) => ({
      key,
      usedFrom: now + usedInMs,
      endsAt: endsInMs === null ? Number.POSITIVE_INFINITY : now + endsInMs,
    }));
  }

  current(): Buffer {
    const now = Date.now();
    const version = this.#versions.findLast(({ usedFrom }) => usedFrom <= now) ?? this.#versions[0];
    if (!version) throw new Error(`the service key ${this.#name} was not read`);
    return version.key;
  }

  all(): readonly Buffer[] {
    const now = Date.now();
    return this.#versions.filter(({ endsAt }) => endsAt > now).map(({ key }) => key);
  }
}

/** A live key that is never replaced. */
export function fixedKey(key: Buffer): LiveKey {
  return { current: () => key, all: () => [key] };
}
