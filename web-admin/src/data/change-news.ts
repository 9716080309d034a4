import type { Change } from "#contracts/http/changes.ts";
import { ChangeStream } from "./change-stream.ts";

/** Called with what has changed; undefined when that may be anything. */
export type ChangeListener = (changes: readonly Change[] | undefined) => void;

/** What others change, for everything on the page that shows some of it. */
export interface ChangeNews {
  /** Follows changes from here on, and what was missed since it was stopped. */
  start(): void;
  stop(): void;
  /** @returns a function that stops this. */
  subscribe(listener: ChangeListener): () => void;
}

/** @param fetch as the session's account, for replies that last. */
export function changeNews(fetch: typeof globalThis.fetch): ChangeNews {
  const listeners = new Set<ChangeListener>();
  const stream = new ChangeStream({
    fetch,
    onChanges(changes) {
      for (const listener of listeners) listener(changes);
    },
  });
  return {
    start: () => stream.start(),
    stop: () => stream.stop(),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
