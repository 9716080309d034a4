import { useState } from "react";
import { sentenceOf } from "./client.ts";

/**
 * What a button starts, once at a time. Buttons are not `disabled` meanwhile where they must keep the focus.
 * @param failed what the page says where the server says nothing.
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
