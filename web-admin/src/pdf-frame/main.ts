/**
 * Renders pages of a PDF in a frame with an opaque origin and no network access (`server/static.ts`). The surrounding
 * page passes in the bytes and gets pictures back, so an exploited PDF reader can't reach the console's session.
 */
import { getDocument, type PDFDocumentProxy, version } from "pdfjs-dist";
import * as worker from "pdfjs-dist/build/pdf.worker.min.mjs";
import { COPY_SIDE } from "#contracts/report/evidence-rules.ts";
import type { DrawPage, FrameAnswer } from "../shared/pdf-messages.ts";

// A frame with an opaque origin can't start workers, so the library runs its worker code in here.
Object.assign(globalThis, { pdfjsWorker: worker });

/** Folder of pdf.js decoders, next to this chunk. Vite would rewrite a `new URL` that contains a file name. */
const DECODERS = `${import.meta.url.slice(0, import.meta.url.lastIndexOf("/"))}/pdfjs-${version}/`;

/** Maximum pixels of an image in a PDF; larger images are left out. */
const MAX_PIXELS = 50_000_000;

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
      maxImageSize: MAX_PIXELS,
      verbosity: 0,
    }).promise;
    port.onmessage = ({ data: { page } }: MessageEvent<DrawPage>) =>
      void draw(pdf, page).then((picture) => say({ page, picture }, [picture]), fail);
    say({ pages: pdf.numPages });
  } catch (error) {
    fail(error);
  }
}

/** Renders a page as PNG. Its longest side equals that of a published picture. */
async function draw(pdf: PDFDocumentProxy, number: number): Promise<ArrayBuffer> {
  const page = await pdf.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: COPY_SIDE / Math.max(width, height) });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  // With intent "print", rendering doesn't wait for animation frames, which a hidden frame doesn't get.
  await page.render({ canvas, viewport, intent: "print" }).promise;
  page.cleanup();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the page could not be drawn");
  return blob.arrayBuffer();
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.name === "PasswordException";
}
