/** Ids kept over all streams, some 10 MB. The most recently used stream always stays. */
const MAX_IDS = 100_000;

/**
 * Ids of the events of streams, from the first one on without a gap. A stream's events never
 * change, so cached ids stay valid; missing ones are read again.
 */
export class StreamIds {
  /** The most recently used stream comes last. */
  readonly #streams = new Map<string, string[]>();
  readonly #maxIds: number;
  #count = 0;

  constructor(maxIds = MAX_IDS) {
    this.#maxIds = maxIds;
  }

  /** The known ids of a stream; the one of revision n is at index n. */
  known(stream: string): readonly string[] {
    const ids = this.#streams.get(stream);
    if (!ids) return [];
    this.#streams.delete(stream);
    this.#streams.set(stream, ids);
    return ids;
  }

  /** Records an event that was seen. It is kept only if it continues the known ids. */
  note(stream: string, revision: number, id: string): void {
    let ids = this.#streams.get(stream);
    if (revision !== (ids?.length ?? 0)) return;
    if (!ids) {
      ids = [];
      this.#streams.set(stream, ids);
    }
    ids.push(id);
    this.#count += 1;
    if (this.#count > this.#maxIds) this.#forgetOthers(stream);
  }

  #forgetOthers(stream: string): void {
    for (const [other, { length }] of this.#streams) {
      if (this.#count <= this.#maxIds) return;
      if (other === stream) continue;
      this.#streams.delete(other);
      this.#count -= length;
    }
  }
}
