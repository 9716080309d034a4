import type { FaqItem } from "#contracts/http/content.ts";
import { loading } from "../../api/client.ts";
import { contentProblem } from "../content/content-problem.ts";
import { readFaqCache } from "./faq-cache.ts";

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
