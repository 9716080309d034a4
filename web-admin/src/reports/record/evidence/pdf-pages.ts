import { paths } from "../../../config/paths.ts";
import type { DrawPage, FrameAnswer } from "../../../shared/pdf-messages.ts";

/** A PDF that the sandboxed frame opened. */
export interface PdfPages {
  readonly pages: number;
  /** Draws a page, from 1. */
  draw(page: number): Promise<Blob>;
  close(): void;
}

/** Milliseconds until a page must be there. */
const TIME_LIMIT_MS = 30_000;
const FAILURES = {
  password: "This PDF wants a password. It can only be downloaded.",
  unreadable: "This PDF cannot be read here. It can only be downloaded.",
} as const;

/**
 * Opens a PDF in a sandboxed frame of opaque origin, which draws its pages. Only pictures leave the frame.
 * @param bytes are moved there.
 * @throws Error with a sentence for people.
 */
export async function openPdf(bytes: ArrayBuffer): Promise<PdfPages> {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "PDF";
  frame.hidden = true;
  frame.src = paths.pdfFrame;
  const { port1: port, port2 } = new MessageChannel();
  const close = () => {
    port.close();
    frame.remove();
  };
  const next = () =>
    new Promise<FrameAnswer>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(FAILURES.unreadable)), TIME_LIMIT_MS);
      port.onmessage = ({ data }) => {
        clearTimeout(timer);
        resolve(data as FrameAnswer);
      };
    });
  try {
    const opened = next();
    frame.addEventListener("load", () => {
      // An opaque origin has no name that could stand in place of the star.
      frame.contentWindow?.postMessage(bytes, "*", [bytes, port2]);
    });
    document.body.append(frame);
    const answer = await opened;
    const pages = "pages" in answer ? Number(answer.pages) : 0;
    if (!Number.isSafeInteger(pages) || pages < 1) throw failure(answer);
    // One page after the other: answers have no number.
    let before: Promise<unknown> = Promise.resolve();
    const draw = async (page: number) => {
      const drawn = next();
      port.postMessage({ page } satisfies DrawPage);
      const answer = await drawn;
      if (!("picture" in answer) || !(answer.picture instanceof ArrayBuffer)) throw failure(answer);
      return new Blob([answer.picture], { type: "image/png" });
    };
    return {
      pages,
      close,
      draw(page) {
        const drawn = before.then(() => draw(page));
        before = drawn.catch(() => undefined);
        return drawn;
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

function failure(answer: FrameAnswer): Error {
  const locked = "failure" in answer && answer.failure === "password";
  return new Error(FAILURES[locked ? "password" : "unreadable"]);
}
