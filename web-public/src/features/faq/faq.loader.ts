import type { FaqItem } from "#contracts/http/content.ts";
import { loading } from "../../api/client.ts";
import { contentProblem } from "../content/content-problem.ts";

export interface FaqData {
  readonly items: readonly FaqItem[];
  /** What the visitor searches for in the list; empty for nothing. */
  readonly text: string;
  /**
   * The server's list, where `items` are those that the browser kept; null if it cannot be read.
   */
  readonly newest?: Promise<readonly FaqItem[] | null>;
}

/** Shows what the browser kept, if anything, and lets the server's list follow. */
export const faqLoader = loading<FaqData>(async (api, { request: { url, signal } }) => {
  const text = new URL(url).searchParams.get("q")?.trim().slice(0, 200) ?? "";
  const list = api.get<FaqItem[]>("/api/faq", { signal });
  const kept = typeof window === "undefined" ? undefined : readFaqCache();
  if (kept) return { items: kept, text, newest: list.catch(() => null) };
  return { items: await list, text };
}, contentProblem);

/** Where the browser keeps the list, so that it shows at once and offline. */
export const FAQ_KEY = "registry_faq_items";

/** The kept list; undefined where there is none, or none that can be read. */
export function readFaqCache(): readonly FaqItem[] | undefined {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(FAQ_KEY) ?? "null");
    return Array.isArray(kept) && kept.length > 0 && kept.every(isItem) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Overwrites the kept list. A browser that keeps nothing is no error. */
export function writeFaqCache(items: readonly FaqItem[]): void {
  try {
    window.localStorage.setItem(FAQ_KEY, JSON.stringify(items));
  } catch {
    // The list is read from the server next time.
  }
}

function isItem(value: unknown): value is FaqItem {
  if (typeof value !== "object" || value === null) return false;
  const { id, question, answer, order } = value as Partial<Record<keyof FaqItem, unknown>>;
  return (
    [id, question, answer].every((text) => typeof text === "string") && Number.isInteger(order)
  );
}
