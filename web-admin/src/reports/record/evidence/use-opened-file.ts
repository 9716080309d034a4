import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { useDataProvider } from "react-admin";
import type { FileType } from "#contracts/report/evidence-rules.ts";
import { messageOf } from "../../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../../data/console-data-provider.ts";
import type { Proof } from "../../../shared/use-proof.tsx";
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
 * Opens a file of a report once, which the registry records, and shows its picture or one of its pages.
 * @param onRefused when whoever is asked for the password does not want to.
 */
export function useOpenedFile(
  { reportId, fileId, type }: { reportId: string; fileId: string; type: FileType },
  page: number,
  proof: Proof,
  onRefused: () => void,
): OpenedFile {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [opened, setOpened] = useState(NOTHING);
  const [pdf, setPdf] = useState<PdfPages>();
  const add = useCallback(
    (change: Partial<OpenedFile>) => setOpened((before) => ({ ...before, ...change })),
    [],
  );
  const open = useEffectEvent(async (isHere: () => boolean) => {
    const content = await proof.run(() => provider.openEvidence(reportId, fileId));
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
