import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { messageOf } from "../../../data/api-error.ts";
import { openPdf, type PdfPages } from "./pdf-pages.ts";

/** A file that was opened. It exists only while its dialog is open. */
export interface OpenedFile {
  readonly content: File | undefined;
  /** How many pages a PDF has; undefined for a picture. */
  readonly pages: number | undefined;
  /** The picture, or the page that is shown. */
  readonly picture: ImageBitmap | undefined;
  readonly failure: string | undefined;
}

const NOTHING: OpenedFile = {
  content: undefined,
  pages: undefined,
  picture: undefined,
  failure: undefined,
};

/**
 * Loads a file once, and shows its picture or one of its pages.
 * @param load resolves with undefined where whoever is asked for the password does not want to.
 * @param onRefused called then.
 */
export function useOpenedFile(
  type: string,
  load: () => Promise<File | undefined>,
  page: number,
  onRefused: () => void,
): OpenedFile {
  const [opened, setOpened] = useState(NOTHING);
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
        add({ failure: messageOf(error, "The file could not be opened.") }),
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
