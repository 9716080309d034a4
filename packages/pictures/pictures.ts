import pLimit from "p-limit";
import { type DecodedPicture, decodePicture } from "./decode.ts";
import { isAnimated, kindOf } from "./file-kind.ts";
import { FileRefused } from "./file-refused.ts";
import { pdfProblem } from "./pdf-check.ts";

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
    if (isAnimated(kind, bytes)) throw new FileRefused("animated");
    if (this.#limited.pendingCount >= MOST_WAITING) throw new PicturesBusy("too many wait");
    const decoded = await this.#limited(() => {
      if (this.#ending.signal.aborted) throw new PicturesBusy("no more are taken");
      return decodePicture(kind, bytes, { signal: this.#ending.signal });
    });
    if ("refused" in decoded) throw new FileRefused(decoded.refused);
    return { kind: "picture", type: `image/${kind}`, ...decoded };
  }

  /** Ends the process at work, and takes no more pictures. */
  async close(): Promise<void> {
    this.#ending.abort();
  }
}
