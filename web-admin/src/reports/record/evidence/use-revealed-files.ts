import { useCallback, useRef } from "react";
import { useDataProvider } from "react-admin";
import type { ConsoleDataProvider } from "../../../data/console-data-provider.ts";

/**
 * Fetches files that a reveal has opened, each once. They exist only on this page, until its data is hidden again.
 * @param revealId undefined before a reveal.
 */
export function useRevealedFiles(reportId: string, revealId: string | undefined) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const cache = useRef({ revealId, files: new Map<string, Promise<File>>() });
  if (cache.current.revealId !== revealId) cache.current = { revealId, files: new Map() };
  return useCallback(
    (fileId: string): Promise<File> => {
      const { files } = cache.current;
      const known = files.get(fileId);
      if (known) return known;
      const fetched = provider.openRevealed(reportId, revealId ?? "", fileId);
      files.set(fileId, fetched);
      // A failure is not kept: the next look tries again.
      fetched.catch(() => files.delete(fileId));
      return fetched;
    },
    [provider, reportId, revealId],
  );
}
