import type { KeyboardEvent } from "react";

/** Sends the form in which it is pressed: Ctrl+Enter, or Command+Enter, from a field of several lines too. */
export function sendByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
