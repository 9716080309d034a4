import { useState } from "react";
import { sentenceOf } from "./client.ts";

/**
 * Runs what a button starts, one call at a time. Buttons that must keep the focus aren't `disabled` while it
 * runs.
 * @param failed message if the server gives none.
 */
export function useAction(failed: string) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  async function run(act: () => Promise<void>, otherwise = failed): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await act();
    } catch (error) {
      setFailure(sentenceOf(error, otherwise));
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, failure, run };
}
