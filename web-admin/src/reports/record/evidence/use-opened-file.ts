import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { PDF_FRAME } from "../../../config/paths.ts";
import { messageOf } from "../../../data/api-error.ts";
import type { DrawPage, FrameAnswer } from "../../../shared/pdf-messages.ts";

/** A file that was opened. It exists only while its dialog is open. */
export interface OpenedFile {
  readonly content?: File;
  /** How many pages a PDF has; undefined for a picture. */
  readonly pages?: number;
  /** The picture, or the page that is shown. */
  readonly picture?: ImageBitmap;
  readonly failure?: string | undefined;
}

/**
 * Loads a file once, and shows its picture or one of its pages.
 * @param load resolves with undefined where anyone who is asked for the password does not want to.
 * @param onRefused called then.
 */
export function useOpenedFile(
  type: string,
  load: () => Promise<File | undefined>,
  page: number,
  onRefused: () => void,
): OpenedFile {
  const [opened, setOpened] = useState<OpenedFile>({});
  const [pdf, setPdf] = useState<PdfPages>();
  const add = useCallback(
    (change: Partial<OpenedFile>) => setOpened((before) => ({ ...before, ...change })),
    [],
  );
  const open = useEffectEvent(async (isHere: () => boolean) => {
    const content = await load();
    if (!isHere()) return undefined;
    if (!content) return onRefused();
    add({ content });
    if (type !== "application/pdf") return add({ picture: await createImageBitmap(content) });
    const pages = await openPdf(await content.arrayBuffer());
    if (!isHere()) return pages.close();
    setPdf(pages);
    add({ pages: pages.pages });
  });
  useEffect(() => {
    let isHere = true;
    // In development, effects run twice at once; a look is recorded once.
    const timer = setTimeout(() => {
      open(() => isHere).catch((error: unknown) =>
        add({ failure: messageOf(error, "Couldn't open the file.") }),
      );
    });
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [add]);
  useEffect(() => () => pdf?.close(), [pdf]);
  useEffect(() => {
    let isHere = true;
    void pdf
      ?.draw(page)
      .then((png) => createImageBitmap(png))
      .then(
        (picture) => isHere && add({ picture, failure: undefined }),
        (error: unknown) => isHere && add({ failure: messageOf(error, "") }),
      );
    return () => {
      isHere = false;
    };
  }, [pdf, page, add]);
  return opened;
}

/** A PDF that the sandboxed frame opened. */
interface PdfPages {
  readonly pages: number;
  /** Draws a page, from 1. */
  draw(page: number): Promise<Blob>;
  close(): void;
}

/** Milliseconds until a page must be there. */
const TIME_LIMIT_MS = 30_000;
const FAILURES = {
  password: "This PDF is password-protected. Download it to open it.",
  unreadable: "This PDF can't be shown here. Download it to open it.",
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
  frame.src = PDF_FRAME;
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
