import { useState } from "react";

/** In this tab's memory alone: what is typed may name somebody. */
const drafts = new Map<string, string>();

/**
 * A text that outlives the field or dialog in which it is typed, until it is empty again.
 * @param key what it is for.
 */
export function useDraft(key: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => draftOf(key));
  return [
    text,
    (next) => {
      keepDraft(key, next);
      setText(next);
    },
  ];
}

/** What was typed for it; empty where nothing was. */
export function draftOf(key: string | undefined): string {
  return (key && drafts.get(key)) ?? "";
}

/** Keeps what is typed; an empty text is forgotten, as one that is sent has to be. */
export function keepDraft(key: string, text: string): void {
  if (text) drafts.set(key, text);
  else drafts.delete(key);
}
