import { DRAFT_DAYS } from "#contracts/retention.ts";

const KEY = "registry_report_draft";
/** Milliseconds until a draft expires. */
export const DRAFT_LIVES_MS = DRAFT_DAYS * 24 * 3_600_000;

/** Reads the stored draft; undefined if there is none or the browser blocks storage. */
export function readDraft(): string | undefined {
  try {
    return window.localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether the browser stored it. */
export function writeDraft(text: string): boolean {
  try {
    window.localStorage.setItem(KEY, text);
    return true;
  } catch {
    return false;
  }
}

/** Removes the draft. Also called on sign-out. */
export function removeDraft(): void {
  try {
    window.localStorage.removeItem(KEY);
  } catch {
    // If storage is blocked, there is no draft.
  }
}

/** Removes an expired or unreadable draft. Called at the start of every page, even without a form. */
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
