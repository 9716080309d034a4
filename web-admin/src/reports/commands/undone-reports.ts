const undone = new EventTarget();

/** Says that a decision on a report was taken back in this tab. */
export function tellUndone(reportId: string): void {
  undone.dispatchEvent(new CustomEvent("undone", { detail: reportId }));
}

/** Calls `listener` with the report of each decision that is taken back. @returns what stops it. */
export function onUndone(listener: (reportId: string) => void): () => void {
  const listen = (event: Event) => listener((event as CustomEvent<string>).detail);
  undone.addEventListener("undone", listen);
  return () => undone.removeEventListener("undone", listen);
}
