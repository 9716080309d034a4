import { type Dispatch, useCallback, useEffect, useRef } from "react";
import type { EvidenceAction, EvidenceItem } from "./evidence-state.ts";
import { deleteUpload, FileNotSent, sendFile } from "./send-file.ts";

const AT_ONCE = 2;

/** Uploads waiting files, and deletes removed ones from the server. */
export function useSending(items: readonly EvidenceItem[], dispatch: Dispatch<EvidenceAction>) {
  const running = useRef(new Map<number, AbortController>());

  const send = useCallback(
    async ({ key, file }: EvidenceItem, { signal }: AbortController) => {
      const progress = (now: EvidenceItem["progress"]) =>
        dispatch({ type: "progress", key, progress: now });
      progress({ state: "sending", share: 0 });
      try {
        const upload = await sendFile(file, {
          signal,
          onProgress: (share) =>
            progress(share < 1 ? { state: "sending", share } : { state: "checking" }),
          onBroken: () => progress({ state: "broken" }),
        });
        progress({ state: "stored", upload });
      } catch (error) {
        if (signal.aborted) return;
        const problem = error instanceof FileNotSent ? error.message : "This file wasn't added.";
        const retryable = error instanceof FileNotSent && error.hope !== "never";
        progress({ state: "failed", problem, retryable });
      }
    },
    [dispatch],
  );

  useEffect(() => {
    const waiting = items.filter(
      ({ key, progress }) => progress.state === "waiting" && !running.current.has(key),
    );
    for (const item of waiting.slice(0, AT_ONCE - running.current.size)) {
      const controller = new AbortController();
      running.current.set(item.key, controller);
      void send(item, controller).finally(() => running.current.delete(item.key));
    }
  }, [items, send]);

  return {
    /** Cancels a file's upload, or deletes it. */
    forget({ key, progress }: EvidenceItem): void {
      running.current.get(key)?.abort(new DOMException("removed", "AbortError"));
      // Free its slot now, so that the next file can start with the next list.
      running.current.delete(key);
      if (progress.state === "stored") void deleteUpload(progress.upload);
    },
  };
}
