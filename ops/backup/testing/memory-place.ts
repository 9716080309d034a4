import { Readable } from "node:stream";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import type { ArchivePlace, KeptArchive } from "../place.ts";

/** An in-memory place for archives. */
export class MemoryPlace implements ArchivePlace {
  readonly where: string;
  readonly files = new Map<string, Buffer>();
  marker: string | undefined;

  constructor(where = "memory") {
    this.where = where;
  }

  fileOf(archive: string): string {
    return `${this.where}/${archive}`;
  }

  holds(other: ArchivePlace): boolean {
    return other === this;
  }

  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    this.files.set(name, Buffer.concat(chunks));
    return this.fileOf(name);
  }

  async list(): Promise<KeptArchive[]> {
    const files = [...this.files].map(([name, { length: bytes }]) => ({ name, bytes }));
    return files.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async open(archive: string): Promise<Readable> {
    const file = this.files.get(archive);
    if (!file) throw new Refusal(`There is no archive ${this.fileOf(archive)}.`);
    return Readable.from([file]);
  }

  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }

  async removeAbandoned(): Promise<void> {}

  async readMarker(): Promise<string | undefined> {
    return this.marker;
  }

  async writeMarker(text: string): Promise<void> {
    this.marker = text;
  }
}
