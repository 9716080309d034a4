import { useState } from "react";

/** In this tab's memory alone: what is typed may name somebody. */
const drafts = new Map<string, string>();

/**
 * A text that outlives the field or dialog in which it is typed, until it is empty again.
 * @param key what it is for; undefined where it goes with its field.
 */
export function useDraft(key: string | undefined): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => (key && drafts.get(key)) ?? "");
  return [
    text,
    (next) => {
      if (key && next) drafts.set(key, next);
      else if (key) drafts.delete(key);
      setText(next);
    },
  ];
}

/** Forgets what was typed, once it is sent. */
export function forgetDraft(key: string): void {
  drafts.delete(key);
}
