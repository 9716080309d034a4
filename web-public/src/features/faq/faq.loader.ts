import type { FaqItem } from "#contracts/http/content.ts";
import { loading } from "../../api/client.ts";
import { contentProblem } from "../content/content-problem.ts";

export interface FaqData {
  readonly items: readonly FaqItem[];
  /** The visitor's search within the list; empty for none. */
  readonly text: string;
  /** The server's list, if `items` came from the cache; null if it couldn't be loaded. */
  readonly newest?: Promise<readonly FaqItem[] | null>;
}

/** Loads the cached list, if any, while the server's list follows. */
export const faqLoader = loading<FaqData>(async (api, { request: { url, signal } }) => {
  const text = new URL(url).searchParams.get("q")?.trim().slice(0, 200) ?? "";
  const list = api.get<FaqItem[]>("/api/faq", { signal });
  const kept = typeof window === "undefined" ? undefined : readFaqCache();
  if (kept) return { items: kept, text, newest: list.catch(() => null) };
  return { items: await list, text };
}, contentProblem);

/** Local storage key of the cached list, which shows immediately and offline. */
export const FAQ_KEY = "registry_faq_items";

/** Reads the cached list; undefined if there is none or it is invalid. */
export function readFaqCache(): readonly FaqItem[] | undefined {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(FAQ_KEY) ?? "null");
    return Array.isArray(kept) && kept.length > 0 && kept.every(isItem) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the cached list. A browser without storage is no error. */
export function writeFaqCache(items: readonly FaqItem[]): void {
  try {
    window.localStorage.setItem(FAQ_KEY, JSON.stringify(items));
  } catch {
    // The list is loaded from the server next time.
  }
}

function isItem(value: unknown): value is FaqItem {
  if (typeof value !== "object" || value === null) return false;
  const { id, question, answer, order } = value as Partial<Record<keyof FaqItem, unknown>>;
  return (
    [id, question, answer].every((text) => typeof text === "string") && Number.isInteger(order)
  );
}
