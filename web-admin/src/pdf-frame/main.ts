/**
 * Draws pages of a PDF, in a frame of opaque origin without network (`server/static.ts`). The page
 * around it gives it the bytes and gets pictures. So nothing that a PDF does to its reader reaches the
 * console's session.
 */
import { getDocument, type PDFDocumentProxy, version } from "pdfjs-dist";
import * as worker from "pdfjs-dist/build/pdf.worker.min.mjs";
import { COPY_SIDE } from "#contracts/report/evidence-rules.ts";
import type { DrawPage, FrameAnswer } from "../shared/pdf-messages.ts";

// A frame of opaque origin may start no worker: the library finds its own here.
Object.assign(globalThis, { pdfjsWorker: worker });

/** Folder of its decoders, beside this chunk. Vite would rewrite a `new URL` with a name in it. */
const DECODERS = `${import.meta.url.slice(0, import.meta.url.lastIndexOf("/"))}/pdfjs-${version}/`;

/** Most pixels of one picture in a PDF; larger ones are left out. */
const MOST_PIXELS = 50_000_000;

addEventListener("message", ({ source, data, ports: [port] }) => {
  if (source === parent && port) void serve(data as ArrayBuffer, port);
});

async function serve(bytes: ArrayBuffer, port: MessagePort): Promise<void> {
  const say = (answer: FrameAnswer, transfer: Transferable[] = []) =>
    port.postMessage(answer, transfer);
  const fail = (error: unknown) => say({ failure: isLocked(error) ? "password" : "unreadable" });
  try {
    const pdf = await getDocument({
      data: bytes,
      useWasm: false,
      wasmUrl: DECODERS,
      enableXfa: false,
      maxImageSize: MOST_PIXELS,
      verbosity: 0,
    }).promise;
    port.onmessage = ({ data: { page } }: MessageEvent<DrawPage>) =>
      void draw(pdf, page).then((picture) => say({ page, picture }, [picture]), fail);
    say({ pages: pdf.numPages });
  } catch (error) {
    fail(error);
  }
}

/** A page as PNG, its longest side that of a published picture. */
async function draw(pdf: PDFDocumentProxy, number: number): Promise<ArrayBuffer> {
  const page = await pdf.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: COPY_SIDE / Math.max(width, height) });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  // For print, nothing waits for a frame of the screen, which this one does not get.
  await page.render({ canvas, viewport, intent: "print" }).promise;
  page.cleanup();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the page could not be drawn");
  return blob.arrayBuffer();
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.name === "PasswordException";
}
