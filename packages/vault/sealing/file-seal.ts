import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { SealBroken } from "./box.ts";
import { canonicalList } from "./hashes.ts";

/**
 * The stored form of a sealed file, version 1. It is read in pieces, so that a file can be streamed
 * and read from any place:
 *
 * - Header, in the clear: `RGF`, the version (1 byte), a salt (32 random bytes).
 * - Pieces: 64 KiB of the padded file, the last one 4 KiB to 64 KiB, each with a tag of 16 bytes.
 *
 * The padding is a byte 0x80 and zeros up to the next multiple of 4 KiB (ISO/IEC 7816-4), because
 * the length stays readable after the key is destroyed. Pieces are sealed with AES-256-GCM in the
 * STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015): the nonce is the piece's number
 * (11 bytes) and whether it is the last (1 byte). Their key is HKDF-SHA-256 of the file's key, with
 * the salt, for the RFC 8785 JSON of `["file", 1, id]`. So no nonce is used twice, and a piece opens
 * only in its own place of its own file.
 */

const MAGIC = Buffer.from("RGF", "ascii");
const VERSION = 1;
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const PADDED_TO = 4096;
const MARK = 0x80;

/** Bytes of the padded file in a piece. */
export const PIECE_BYTES = 65_536;
export const FILE_HEADER_BYTES = MAGIC.length + 1 + SALT_BYTES;
const STORED_PIECE_BYTES = PIECE_BYTES + TAG_BYTES;

/** The pieces of a stored file. */
export interface FileLayout {
  readonly pieces: number;
  /** Where the last piece begins in the stored file. */
  readonly lastStart: number;
  readonly storedBytes: number;
}

/** Returns the stored size of a file with that many bytes. */
export function storedBytesOf(bytes: number): number {
  const padded = (Math.floor(bytes / PADDED_TO) + 1) * PADDED_TO;
  return FILE_HEADER_BYTES + padded + Math.ceil(padded / PIECE_BYTES) * TAG_BYTES;
}

/** @throws {SealBroken} if no sealed file has that many bytes. */
export function layoutOf(storedBytes: number): FileLayout {
  const body = storedBytes - FILE_HEADER_BYTES;
  const pieces = Math.ceil(body / STORED_PIECE_BYTES);
  const lastStart = storedPlace(pieces - 1);
  const last = storedBytes - lastStart - TAG_BYTES;
  if (pieces < 1 || pieces > 2 ** 32 || last < PADDED_TO || last % PADDED_TO !== 0)
    throw new SealBroken("a sealed file has a wrong length");
  return { pieces, lastStart, storedBytes };
}

/** Returns where a piece begins in the stored file. */
export function storedPlace(piece: number): number {
  return FILE_HEADER_BYTES + piece * STORED_PIECE_BYTES;
}

/** Seals a file in pieces, while it is read. */
export async function* sealFile(
  key: Buffer,
  id: string,
  content: AsyncIterable<Uint8Array>,
  salt: Buffer = randomBytes(SALT_BYTES),
): AsyncGenerator<Buffer, void, void> {
  yield Buffer.concat([MAGIC, Buffer.of(VERSION), salt]);
  const pieceKey = pieceKeyOf(key, id, salt);
  let piece = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of inParts(content, PIECE_BYTES)) {
    // A full piece is never the last: the padding follows.
    if (part.length < PIECE_BYTES) rest = part;
    else yield sealPiece(pieceKey, piece++, false, part);
  }
  const last = Buffer.alloc((Math.floor(rest.length / PADDED_TO) + 1) * PADDED_TO);
  rest.copy(last);
  last[rest.length] = MARK;
  yield sealPiece(pieceKey, piece, true, last);
}

/** Splits a stream into parts of equal size; the last one may be smaller. */
export async function* inParts(
  source: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Buffer, void, void> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < bytes) continue;
    let rest = Buffer.concat(waiting);
    for (; rest.length >= bytes; rest = rest.subarray(bytes)) yield rest.subarray(0, bytes);
    waiting = [rest];
    length = rest.length;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** Opens the pieces of one stored file. */
export class FileOpener {
  readonly #pieceKey: Buffer;
  readonly #layout: FileLayout;

  /**
   * @param header the first {@link FILE_HEADER_BYTES}.
   * @throws {SealBroken} if it is not a sealed file, or one of a later version.
   */
  constructor(key: Buffer, id: string, header: Buffer, layout: FileLayout) {
    if (header.length !== FILE_HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
      throw new SealBroken("a stored file is not a sealed one");
    if (header[MAGIC.length] !== VERSION)
      throw new SealBroken("a sealed file has a version that is not known here");
    this.#pieceKey = pieceKeyOf(key, id, header.subarray(MAGIC.length + 1));
    this.#layout = layout;
  }

  /**
   * Opens pieces while they are read.
   * @param stored from the first byte of `piece` to the last byte of another piece.
   */
  async *openFrom(
    piece: number,
    stored: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Buffer, void, void> {
    let next = piece;
    for await (const part of inParts(stored, STORED_PIECE_BYTES)) yield this.open(next++, part);
  }

  /**
   * Opens one piece, without padding.
   * @throws {SealBroken} if it was changed, cut off or moved, or is from another file.
   */
  open(piece: number, stored: Buffer): Buffer {
    const isLast = piece === this.#layout.pieces - 1;
    const opened = openPiece(this.#pieceKey, piece, isLast, stored);
    return isLast ? withoutPadding(opened) : opened;
  }
}

function pieceKeyOf(key: Buffer, id: string, salt: Buffer): Buffer {
  const purpose = canonicalList(["file", VERSION, id]);
  return Buffer.from(hkdfSync("sha256", key, salt, purpose, 32));
}

function nonceOf(piece: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(piece, NONCE_BYTES - 7, 6);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

function sealPiece(key: Buffer, piece: number, isLast: boolean, plain: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonceOf(piece, isLast), {
    authTagLength: TAG_BYTES,
  });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openPiece(key: Buffer, piece: number, isLast: boolean, stored: Buffer): Buffer {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(piece, isLast), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(stored.subarray(-TAG_BYTES));
    const opened = decipher.update(stored.subarray(0, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    throw new SealBroken("a sealed file was changed, cut off, moved or sealed under another key");
  }
}

/** Removes the padding. Each file length has only one valid padding. */
function withoutPadding(padded: Buffer): Buffer {
  const mark = padded.lastIndexOf(MARK);
  const isShortest = mark >= padded.length - PADDED_TO;
  if (mark < 0 || !isShortest || padded.subarray(mark + 1).some((byte) => byte !== 0))
    throw new SealBroken("a sealed file has a wrong padding");
  return padded.subarray(0, mark);
}
