import { DRAFT_DAYS } from "#contracts/retention.ts";

const KEY = "registry_report_draft";
/** Milliseconds after which a draft is gone. */
export const DRAFT_LIVES_MS = DRAFT_DAYS * 24 * 3_600_000;

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

/** Removes a draft that is too old or unreadable. Each page does so at its start, also without a form. */
export function removeExpiredDraft(now: number): void {
  const text = readDraft();
  if (text !== undefined && !isAlive(text, now)) removeDraft();
}

function isAlive(text: string, now: number): boolean {
  try {
    const { savedAt } = JSON.parse(text) as { savedAt: unknown };
    return typeof savedAt === "number" && savedAt <= now && now - savedAt < DRAFT_LIVES_MS;
  } catch {
    return false;
  }
}
