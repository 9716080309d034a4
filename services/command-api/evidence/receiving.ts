import { DomainError } from "#contracts/domain-error.ts";
import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";

/** Files that arrive at once: each may take {@link FILE_BYTES} of memory. */
const AT_ONCE = 8;
const OF_A_NETWORK = 3;

/** Limits how many files arrive at the same time, so that memory stays bounded. */
export class Receiving {
  readonly #networks = new Map<string, number>();
  #all = 0;

  /** @throws {DomainError} `unavailable`: too many others are arriving. */
  async run<T>(network: string, work: () => Promise<T>): Promise<T> {
    const own = this.#networks.get(network) ?? 0;
    if (this.#all >= AT_ONCE || own >= OF_A_NETWORK)
      throw new DomainError(
        "unavailable",
        "Too many files are arriving right now. Please try again in a moment.",
      );
    this.#all += 1;
    this.#networks.set(network, own + 1);
    try {
      return await work();
    } finally {
      this.#all -= 1;
      const left = (this.#networks.get(network) ?? 1) - 1;
      if (left > 0) this.#networks.set(network, left);
      else this.#networks.delete(network);
    }
  }
}

/** Reads a whole file into memory. @throws {DomainError} `too_large` */
export async function readFile(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > FILE_BYTES) throw fileTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** Bytes in memory as a stream's content. */
export async function* whole(bytes: Buffer): AsyncGenerator<Buffer, void, void> {
  yield bytes;
}

export function fileTooLarge(): DomainError {
  const most = FILE_BYTES / 1024 / 1024;
  return new DomainError("too_large", `This file is too large. A file may have ${most} MB.`);
}
