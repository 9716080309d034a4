/** Where the browser keeps the draft of a report. */
const KEY = "registry_report_draft";

/** What is stored; undefined where nothing is, or the browser does not let pages store anything. */
export function readDraft(): string | undefined {
  try {
    return window.localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether the browser keeps it. */
export function writeDraft(text: string): boolean {
  try {
    window.localStorage.setItem(KEY, text);
    return true;
  } catch {
    return false;
  }
}

/** Nothing is left of it afterwards. Also called when somebody signs out. */
export function removeDraft(): void {
  try {
    window.localStorage.removeItem(KEY);
  } catch {
    // What may not be stored is not there.
  }
}
