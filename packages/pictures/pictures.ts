import pLimit from "p-limit";
import { type DecodedPicture, decodePicture } from "./decode.ts";
import { FileRefused } from "./file-refused.ts";
import type { Purpose } from "./picture-process.ts";

export { PictureProcessFailed } from "./decode.ts";
export { FileRefused } from "./file-refused.ts";

/** A file as it may be stored. */
export type Prepared =
  | ({
      readonly kind: "picture";
      readonly type: "image/png" | "image/jpeg" | "image/webp";
    } & DecodedPicture)
  | { readonly kind: "pdf"; readonly type: "application/pdf"; readonly content: Buffer };

/** Too many pictures are waiting. */
export class PicturesBusy extends Error {
  override readonly name = "PicturesBusy";
}

/** Maximum queue length. */
const MAX_WAITING = 8;

/** Checks uploaded files. Decodes pictures one at a time, each in a separate process. */
export class Pictures {
  readonly #limited = pLimit(1);
  readonly #ending = new AbortController();

  /**
   * Detects a file's type from its content alone. Re-encodes a picture upright, without metadata and anything
   * else around its pixels. Leaves a PDF unchanged.
   * @throws {FileRefused} with a sentence for the user.
   * @throws {PicturesBusy} @throws {PictureProcessFailed}
   */
  async prepare(bytes: Buffer): Promise<Prepared> {
    if (bytes.length === 0) throw new FileRefused("empty");
    const kind = kindOf(bytes);
    if (kind === "heic" || kind === "svg") throw new FileRefused(kind);
    if (kind === "unknown") throw new FileRefused("unknown_type");
    if (kind === "pdf") {
      const problem = pdfProblem(bytes);
      if (problem) throw new FileRefused(problem);
      return { kind, type: "application/pdf", content: bytes };
    }
    const decoded = await this.#decode(kind, bytes, "keep");
    return { kind: "picture", type: `image/${kind}`, ...decoded };
  }

  /**
   * Re-encodes a picture for publication: WebP without metadata.
   * @throws {FileRefused} @throws {PicturesBusy} @throws {PictureProcessFailed}
   */
  async publishable(bytes: Buffer): Promise<DecodedPicture> {
    const kind = kindOf(bytes);
    if (kind !== "png" && kind !== "jpeg" && kind !== "webp") throw new FileRefused("no_picture");
    return this.#decode(kind, bytes, "publish");
  }

  async #decode(kind: "png" | "jpeg" | "webp", bytes: Buffer, purpose: Purpose) {
    if (isAnimated(kind, bytes)) throw new FileRefused("animated");
    if (this.#limited.pendingCount >= MAX_WAITING) throw new PicturesBusy("the queue is full");
    const decoded = await this.#limited(() => {
      if (this.#ending.signal.aborted) throw new PicturesBusy("the process is shutting down");
      return decodePicture(kind, bytes, { purpose, signal: this.#ending.signal });
    });
    if ("refused" in decoded) throw new FileRefused(decoded.refused);
    return decoded;
  }

  /** Stops the process in progress and accepts no more pictures. */
  async close(): Promise<void> {
    this.#ending.abort();
  }
}

/** A file's kind, detected from its first bytes. File names and declared types are ignored. */
type FileKind = "png" | "jpeg" | "webp" | "pdf" | "heic" | "svg" | "unknown";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Brands of ISO base media files (ISO/IEC 14496-12) that contain HEVC pictures, as phones take them. */
const HEIC = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;

export function kindOf(bytes: Buffer): FileKind {
  const has = (mark: Buffer | string, place = 0) => {
    const wanted = typeof mark === "string" ? Buffer.from(mark, "latin1") : mark;
    return bytes.subarray(place, place + wanted.length).equals(wanted);
  };
  if (has(PNG)) return "png";
  if (has(JPEG)) return "jpeg";
  if (has("RIFF") && has("WEBP", 8)) return "webp";
  if (has("%PDF-")) return "pdf";
  if (has("ftyp", 4) && HEIC.test(bytes.toString("latin1", 8, 12))) return "heic";
  const start = bytes.toString("utf8", 0, 1000);
  return /^\uFEFF?\s*</.test(start) && /<svg[\s>]/i.test(start) ? "svg" : "unknown";
}

/** Whether a PNG or WebP declares several frames (PNG 3, 11.3.5; RFC 9649, 2.7.1.1). */
export function isAnimated(kind: FileKind, bytes: Buffer): boolean {
  if (kind === "webp")
    return bytes.subarray(12, 16).equals(Buffer.from("VP8X")) && ((bytes[20] ?? 0) & 2) !== 0;
  if (kind !== "png") return false;
  const pixels = bytes.indexOf("IDAT", 8, "latin1");
  const frames = bytes.indexOf("acTL", 8, "latin1");
  return frames >= 0 && (pixels < 0 || frames < pixels);
}

/** A PDF has its end mark within this many bytes of its end (ISO 32000-1, annex H.3.18). */
const TAIL_BYTES = 1024;

/** End of central directory record of a ZIP archive (APPNOTE 4.3.16). */
const ZIP_END = Buffer.from("PK\u0005\u0006", "latin1");
const ZIP_END_BYTES = 22;
const ZIP_COMMENT_BYTES = 65_535;

/** Checks a PDF, which is stored unchanged: detects what isn't one, or is something else as well. */
export function pdfProblem(bytes: Buffer): "damaged" | "suspicious" | undefined {
  if (!/^%PDF-[12]\.\d[\s%]/.test(bytes.toString("latin1", 0, 10))) return "damaged";
  const tail = bytes.toString("latin1", Math.max(bytes.length - TAIL_BYTES, 0));
  const end = tail.lastIndexOf("%%EOF");
  if (end < 0 || !tail.includes("startxref")) return "damaged";
  // Anything after the end mark would be for another program.
  if (/[^\s\0]/.test(tail.slice(end + "%%EOF".length))) return "suspicious";
  return isArchive(bytes) ? "suspicious" : undefined;
}

/** ZIP readers locate an archive by its end, so the file may begin with anything. */
function isArchive(bytes: Buffer): boolean {
  const first = Math.max(bytes.length - ZIP_END_BYTES - ZIP_COMMENT_BYTES, 0);
  let place = bytes.indexOf(ZIP_END, first);
  for (; place >= 0; place = bytes.indexOf(ZIP_END, place + 1)) {
    if (place + ZIP_END_BYTES > bytes.length) return false;
    const comment = bytes.readUInt16LE(place + ZIP_END_BYTES - 2);
    if (place + ZIP_END_BYTES + comment <= bytes.length) return true;
  }
  return false;
}
