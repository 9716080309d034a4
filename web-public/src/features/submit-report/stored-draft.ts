import { readDraft, removeDraft, removeExpiredDraft, writeDraft } from "../../lib/draft-storage.ts";
import { type Draft, draftOf } from "./draft.ts";
import { type FormState, isDirty } from "./form-state.ts";

/**
 * The draft of whoever is at the browser; undefined when there is none. One that is too old or
 * unreadable is removed. One of an account is shown to that account only.
 */
export function storedDraft(account: string | null, now: number): Draft | undefined {
  removeExpiredDraft(now);
  const text = readDraft();
  if (text === undefined) return undefined;
  const draft = parsed(text);
  if (!draft) {
    removeDraft();
    return undefined;
  }
  return draft.account === null || draft.account === account ? draft : undefined;
}

/** Keeps what was typed; a form without anything typed leaves no draft. @returns whether it is kept. */
export function storeDraft(state: FormState, account: string | null, now: number): boolean {
  if (isDirty(state)) return writeDraft(JSON.stringify(draftOf(state, account, now)));
  removeDraft();
  return false;
}

function parsed(text: string): Draft | undefined {
  try {
    const { savedAt, account, fields, items } = JSON.parse(text) as Record<string, unknown>;
    const isOurs =
      typeof savedAt === "number" &&
      (account === null || typeof account === "string") &&
      isRecord(fields) &&
      Array.isArray(items) &&
      items.every(isRecord);
    return isOurs ? ({ savedAt, account, fields, items } as Draft) : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
