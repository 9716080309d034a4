/** Commands that a row offers, as their buttons are marked. */
export type RowCommand = "approve" | "delete" | "verify";

/** Marks a row's button, so that the focus can go on to the next row's. */
export function rowMark(command: RowCommand, reportId: string) {
  return { "data-command": command, "data-report": reportId };
}

/**
 * Remembers which report's button comes after this one, before the row goes.
 * @returns a function that gives that button the focus once the list is read again.
 */
export function focusNext(command: RowCommand, reportId: string): () => void {
  const ids = [...document.querySelectorAll<HTMLElement>(`[data-command="${command}"]`)].map(
    (button) => button.dataset.report,
  );
  const next = ids[ids.indexOf(reportId) + 1];
  return () => {
    if (!next) return;
    document
      .querySelector<HTMLElement>(`[data-command="${command}"][data-report="${next}"]`)
      ?.focus();
  };
}
