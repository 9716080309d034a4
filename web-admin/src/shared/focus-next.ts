/** Commands of a row; its buttons are marked with these names. */
export type RowCommand = "approve" | "delete" | "verify" | "settle";

/** Marks a row's button, so that the focus can move to the same button in the next row. */
export function rowMark(command: RowCommand, reportId: string) {
  return { "data-command": command, "data-report": reportId };
}

/**
 * Notes which report has the next button of this kind, before the row disappears.
 * @returns a function that focuses that button once the list has been refetched.
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
