import { type DependencyList, useEffect, useState } from "react";
import { sentenceOf } from "./client.ts";

/**
 * Reads data for a part of a page, and again after each change of `when`. The previous data stays until then.
 * @param failed message if the server gives none.
 */
export function useRead<T>(
  read: (signal: AbortSignal) => Promise<T>,
  when: DependencyList,
  failed: string,
) {
  const [data, setData] = useState<T | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says when.
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setFailure(null);
    read(signal)
      .then((found) => {
        if (!signal.aborted) setData(found);
      })
      .catch((error: unknown) => {
        if (!signal.aborted) setFailure(sentenceOf(error, failed));
      });
    return () => leaving.abort();
  }, [...when, attempt]);
  return { data, setData, failure, again: () => setAttempt((before) => before + 1) };
}
