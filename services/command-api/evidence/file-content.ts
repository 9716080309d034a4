import { DomainError } from "#contracts/domain-error.ts";
import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";

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
