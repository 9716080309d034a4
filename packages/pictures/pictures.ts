import pLimit from "p-limit";
import { type DecodedPicture, decodePicture } from "./decode.ts";
import { isAnimated, kindOf, pdfProblem } from "./file-kind.ts";
import { FileRefused } from "./file-refused.ts";
import type { Purpose } from "./picture-process.ts";

export { PictureProcessFailed } from "./decode.ts";
export { FileRefused } from "./file-refused.ts";

/** A file as it may be kept. */
export type Prepared =
  | ({
      readonly kind: "picture";
      readonly type: "image/png" | "image/jpeg" | "image/webp";
    } & DecodedPicture)
  | { readonly kind: "pdf"; readonly type: "application/pdf"; readonly content: Buffer };

/** Too many pictures wait already. */
export class PicturesBusy extends Error {
  override readonly name = "PicturesBusy";
}

/** Pictures that wait for the one before them. */
const MOST_WAITING = 8;

/** Checks what arrives. Pictures are decoded one after the other, each in a process of its own. */
export class Pictures {
  readonly #limited = pLimit(1);
  readonly #ending = new AbortController();

  /**
   * Finds out what a file is, by its content alone. A picture is encoded again, upright, without
   * metadata and without anything that stood beside its pixels. A PDF stays as it is.
   * @throws {FileRefused} with a sentence for whoever sent it.
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
   * A picture as it may be published: WebP without metadata and transparency, its longest side at
   * most {@link PUBLISHED_SIDE}.
   * @throws {FileRefused} also for a PDF. @throws {PicturesBusy} @throws {PictureProcessFailed}
   */
  async publishable(bytes: Buffer): Promise<DecodedPicture> {
    const kind = kindOf(bytes);
    if (kind !== "png" && kind !== "jpeg" && kind !== "webp") throw new FileRefused("no_picture");
    return this.#decode(kind, bytes, "publish");
  }

  async #decode(kind: "png" | "jpeg" | "webp", bytes: Buffer, purpose: Purpose) {
    if (isAnimated(kind, bytes)) throw new FileRefused("animated");
    if (this.#limited.pendingCount >= MOST_WAITING) throw new PicturesBusy("too many wait");
    const decoded = await this.#limited(() => {
      if (this.#ending.signal.aborted) throw new PicturesBusy("no more are taken");
      return decodePicture(kind, bytes, { purpose, signal: this.#ending.signal });
    });
    if ("refused" in decoded) throw new FileRefused(decoded.refused);
    return decoded;
  }

  /** Ends the process at work, and takes no more pictures. */
  async close(): Promise<void> {
    this.#ending.abort();
  }
}
