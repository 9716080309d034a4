/** Commands of a row. Its buttons are marked with these names. */
export type RowCommand = "approve" | "delete" | "verify" | "settle";

/** Marks a row's button, so that the focus can move on to the same button of the next row. */
export function rowMark(command: RowCommand, reportId: string) {
  return { "data-command": command, "data-report": reportId };
}

/**
 * Remembers, before the row disappears, which report has the next button of this kind.
 * @returns a function that focuses that button once the list has been loaded again.
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
