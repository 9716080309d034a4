import type { Readable } from "node:stream";
import { type ArchivePlace, type KeptArchive, PlaceRefusal } from "../place.ts";

/** Awaited before and after each step of a process. */
export type Step = () => Promise<void>;

/** Faults of a disk. */
export interface DiskState {
  state: "well" | "read-only" | "full";
}

/** A place on a disk that may be full or read-only, as seen by a process that may die at any step. */
export class FaultyPlace implements ArchivePlace {
  readonly #inner: ArchivePlace;
  readonly #disk: DiskState;
  readonly #step: Step;

  constructor(inner: ArchivePlace, disk: DiskState, step: Step) {
    this.#inner = inner;
    this.#disk = disk;
    this.#step = step;
  }

  get where(): string {
    return this.#inner.where;
  }

  fileOf(archive: string): string {
    return this.#inner.fileOf(archive);
  }

  holds(other: ArchivePlace): boolean {
    return other instanceof FaultyPlace && this.#inner.holds(other.#inner);
  }

  put(name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
    return this.#write(() => this.#inner.put(name, this.#chunks(content)));
  }

  list(): Promise<KeptArchive[]> {
    return this.#around(() => this.#inner.list());
  }

  open(archive: string): Promise<Readable> {
    return this.#around(() => this.#inner.open(archive));
  }

  /** Files can be removed from a full disk. */
  remove(name: string): Promise<void> {
    return this.#write(() => this.#inner.remove(name), "read-only");
  }

  removeAbandoned(): Promise<void> {
    return this.#around(() => this.#inner.removeAbandoned());
  }

  readMarker(): Promise<string | undefined> {
    return this.#around(() => this.#inner.readMarker());
  }

  writeMarker(text: string): Promise<void> {
    return this.#write(() => this.#inner.writeMarker(text));
  }

  async *#chunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      await this.#step();
      yield chunk;
    }
    // The last moment before it exists.
    await this.#step();
  }

  #write<T>(work: () => Promise<T>, ...refusedBy: DiskState["state"][]): Promise<T> {
    return this.#around(() => {
      const { state } = this.#disk;
      const refused = refusedBy.length > 0 ? refusedBy : ["read-only", "full"];
      if (!refused.includes(state)) return work();
      throw new PlaceRefusal(
        state === "full" ? "full" : "unwritable",
        `${this.where} is ${state}.`,
      );
    });
  }

  async #around<T>(work: () => Promise<T>): Promise<T> {
    await this.#step();
    const result = await work();
    await this.#step();
    return result;
  }
}
