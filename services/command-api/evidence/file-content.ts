import { DomainError } from "#contracts/domain-error.ts";
import { FILE_BYTES, MEGABYTE } from "#contracts/report/evidence-rules.ts";

/** A file's content, up to a size. @throws {DomainError} `too_large`, from reading. */
export async function* atMost(
  content: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > most) throw fileTooLarge(most);
    yield chunk;
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

/** @param most bytes that a file may have. */
export function fileTooLarge(most: number = FILE_BYTES): DomainError {
  const megabytes = most / MEGABYTE;
  return new DomainError("too_large", `This file is too large. The limit is ${megabytes} MB.`);
}
